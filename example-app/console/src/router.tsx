import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Problem } from "./parts/problem.js";
import { readLogSearch } from "./pages/log/search.js";
import { readRuleSearch } from "./pages/rules/search.js";
import { readSearch } from "./pages/try-login/search.js";
import { NotFound } from "./shell/not-found.js";
import { Shell } from "./shell/shell.js";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const users = createRoute({
  getParentRoute: () => root,
  path: "/users",
  component: lazyRouteComponent(() => import("./pages/users/users.js"), "Users"),
});
const userPages = [
  createRoute({
    getParentRoute: () => users,
    path: "/new",
    component: lazyRouteComponent(() => import("./pages/users/new-user.js"), "NewUser"),
  }),
  createRoute({
    getParentRoute: () => users,
    path: "/$userId",
    component: lazyRouteComponent(() => import("./pages/users/edit-user.js"), "EditUser"),
  }),
];

// the pages of records open the one that the address names; a new one is `new`
const rules = createRoute({
  getParentRoute: () => root,
  path: "/rules",
  component: lazyRouteComponent(() => import("./pages/rules/rules.js"), "Rules"),
});
const idps = createRoute({
  getParentRoute: () => root,
  path: "/idps",
  component: lazyRouteComponent(() => import("./pages/idps/idps.js"), "Idps"),
});
const zones = createRoute({
  getParentRoute: () => root,
  path: "/zones",
  component: lazyRouteComponent(() => import("./pages/zones/zones.js"), "Zones"),
});
const origins = createRoute({
  getParentRoute: () => root,
  path: "/origins",
  component: lazyRouteComponent(() => import("./pages/origins/origins.js"), "Origins"),
});
const rule = createRoute({ getParentRoute: () => rules, path: "/$id", validateSearch: readRuleSearch });
const idp = createRoute({ getParentRoute: () => idps, path: "/$id" });
const zone = createRoute({ getParentRoute: () => zones, path: "/$id" });
const origin = createRoute({ getParentRoute: () => origins, path: "/$id" });

const pages = [
  createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import("./pages/try-login/try-login.js"), "TryLogin"),
  }),
  rules.addChildren([rule]),
  users.addChildren(userPages),
  createRoute({
    getParentRoute: () => root,
    path: "/tokens",
    component: lazyRouteComponent(() => import("./pages/tokens/tokens.js"), "Tokens"),
  }),
  idps.addChildren([idp]),
  zones.addChildren([zone]),
  origins.addChildren([origin]),
  createRoute({
    getParentRoute: () => root,
    path: "/transfer",
    component: lazyRouteComponent(() => import("./pages/transfer/transfer.js"), "Transfer"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/tests",
    component: lazyRouteComponent(() => import("./pages/tests/tests.js"), "Tests"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/history",
    component: lazyRouteComponent(() => import("./pages/history/history.js"), "History"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/log",
    validateSearch: readLogSearch,
    component: lazyRouteComponent(() => import("./pages/log/log.js"), "Log"),
  }),
];

let shown = "";

/** A record opens over its list, which stays where it is. Another page begins at its top, or where it was left. */
function isOtherPage({ pathname }: Readonly<{ pathname: string }>): boolean {
  const before = shown;
  shown = pathname.split("/")[1] ?? "";
  return shown !== before;
}

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: ({ location }) => isOtherPage(location),
  defaultErrorComponent: ({ error }) => <Problem error={error instanceof Error ? error : new Error(String(error))} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
