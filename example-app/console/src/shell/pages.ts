import { RouteIcon } from "../parts/icons.js";

/** The pages of the navigation, in its order. */
export const PAGES = [{ to: "/", label: "Try a login", icon: RouteIcon }] as const;
