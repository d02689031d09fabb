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
  { to: "/", name: "tryLogin", icon: RouteIcon },
  { to: "/rules", name: "rules", icon: ListIcon },
  { to: "/tests", name: "tests", icon: TestIcon },
  { to: "/idps", name: "idps", icon: ShieldIcon },
  { to: "/zones", name: "zones", icon: GlobeIcon },
  { to: "/origins", name: "origins", icon: BoxIcon },
  { to: "/users", name: "users", icon: UsersIcon },
  { to: "/tokens", name: "tokens", icon: KeyIcon },
  { to: "/log", name: "log", icon: LogIcon },
  { to: "/history", name: "history", icon: HistoryIcon },
  { to: "/transfer", name: "transfer", icon: TransferIcon },
] as const;
