import type { ReactNode } from "react";

/** Icons of 24 by 24, in the colour of the text. They say nothing to a screen reader: give their button a label. */
function icon(children: ReactNode, name: string) {
  const Icon = ({ size = 18 }: Readonly<{ size?: number }>) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
  Icon.displayName = name;
  return Icon;
}

export const CheckIcon = icon(<path d="M5 12.5l4.5 4.5L19 7.5" />, "CheckIcon");
export const CrossIcon = icon(<path d="M6.5 6.5l11 11m0-11l-11 11" />, "CrossIcon");
export const SkipIcon = icon(<path d="M6 12h12" />, "SkipIcon");
export const CopyIcon = icon(
  <>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M5 15V6a2 2 0 0 1 2-2h9" />
  </>,
  "CopyIcon",
);
export const RouteIcon = icon(
  <>
    <circle cx="6" cy="18" r="2" />
    <circle cx="18" cy="6" r="2" />
    <path d="M8 18h6.5a3.5 3.5 0 0 0 0-7h-5a3.5 3.5 0 0 1 0-7H16" transform="translate(0 1)" />
  </>,
  "RouteIcon",
);
export const ListIcon = icon(<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" />, "ListIcon");
export const KeyIcon = icon(
  <>
    <circle cx="8" cy="15" r="4" />
    <path d="M11 12l8-8m-3 3l3 3" />
  </>,
  "KeyIcon",
);
export const ShieldIcon = icon(<path d="M12 3l7 3v5c0 4.5-3 8.3-7 10-4-1.7-7-5.5-7-10V6z" />, "ShieldIcon");
export const LogIcon = icon(<path d="M6 3h9l4 4v14H6zM9 12h6M9 16h6M9 8h2" />, "LogIcon");
export const UsersIcon = icon(
  <>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 5.2a3.5 3.5 0 0 1 0 6.6M18 14.6c2 .8 3 2.8 3 5.4" />
  </>,
  "UsersIcon",
);
export const GlobeIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3" />
  </>,
  "GlobeIcon",
);
export const BoxIcon = icon(<path d="M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5" />, "BoxIcon");
export const HistoryIcon = icon(<path d="M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2" />, "HistoryIcon");
export const WarningIcon = icon(<path d="M12 4l9 16H3zM12 10v4.5M12 17.2h.01" />, "WarningIcon");
export const TestIcon = icon(<path d="M9 4h6v3H9zM9 5.5H6V21h12V5.5h-3M9 14l2 2 4-4" />, "TestIcon");
export const SearchIcon = icon(
  <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5L20 20" />,
  "SearchIcon",
);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />, "MenuIcon");
export const HelpIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M12 16.8h.01" />
  </>,
  "HelpIcon",
);
export const GripIcon = icon(
  <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth={3} />,
  "GripIcon",
);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />, "PlusIcon");
export const TransferIcon = icon(<path d="M8 20V5m0 0L4 9m4-4l4 4M16 4v15m0 0l-4-4m4 4l4-4" />, "TransferIcon");
