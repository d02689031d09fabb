import { ListIcon, LogIcon, RouteIcon } from "../parts/icons.js";

/** The pages of the navigation, in its order. */
export const PAGES = [
  { to: "/", label: "Try a login", icon: RouteIcon },
  { to: "/rules", label: "Routing rules", icon: ListIcon },
  { to: "/log", label: "System Log", icon: LogIcon },
] as const;
