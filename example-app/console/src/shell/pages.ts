import {
  BoxIcon,
  GlobeIcon,
  HistoryIcon,
  KeyIcon,
  ListIcon,
  LogIcon,
  RouteIcon,
  ShieldIcon,
  TestIcon,
  TransferIcon,
  UsersIcon,
} from "../parts/icons.js";

/** The pages of the navigation, in its order. */
export const PAGES = [
  { to: "/", label: "Try a login", icon: RouteIcon },
  { to: "/rules", label: "Routing rules", icon: ListIcon },
  { to: "/tests", label: "Routing tests", icon: TestIcon },
  { to: "/idps", label: "Identity providers", icon: ShieldIcon },
  { to: "/zones", label: "Zones", icon: GlobeIcon },
  { to: "/origins", label: "Trusted origins", icon: BoxIcon },
  { to: "/users", label: "Users", icon: UsersIcon },
  { to: "/tokens", label: "API tokens", icon: KeyIcon },
  { to: "/log", label: "System Log", icon: LogIcon },
  { to: "/history", label: "History", icon: HistoryIcon },
  { to: "/transfer", label: "Import and export", icon: TransferIcon },
] as const;
