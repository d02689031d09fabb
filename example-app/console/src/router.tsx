import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Problem } from "./parts/problem.js";
import { NotFound } from "./shell/not-found.js";
import { Shell } from "./shell/shell.js";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const pages = [
  createRoute({
    getParentRoute: () => root,
    path: "/",
    component: lazyRouteComponent(() => import("./pages/try-login/try-login.js"), "TryLogin"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/rules",
    component: lazyRouteComponent(() => import("./pages/rules/rules.js"), "Rules"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/log",
    component: lazyRouteComponent(() => import("./pages/log/log.js"), "Log"),
  }),
];

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: "/console",
  defaultPreload: "intent",
  defaultErrorComponent: ({ error }) => <Problem error={error instanceof Error ? error : new Error(String(error))} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
