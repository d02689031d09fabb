import "./styles.js";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./query-client.js";
import { router } from "./router.js";
import { SignedIn } from "./session/signed-in.js";
import { resolveVariables, theme } from "./theme.js";

/** So long the first page has the connection for itself, in milliseconds. */
const PRELOAD_MS = 2_000;

/** Pages that nobody has visited yet open without the server, too. */
function preloadPages(): void {
  const load = () => {
    for (const { options } of Object.values(router.routesById)) {
      const { component } = options as { component?: { preload?: () => Promise<unknown> } };
      void component?.preload?.().catch(() => undefined);
    }
  };
  if ("requestIdleCallback" in window) window.requestIdleCallback(load);
  else setTimeout(load, 1_000);
}

window.addEventListener("load", () => setTimeout(preloadPages, PRELOAD_MS));

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <SignedIn>
          <RouterProvider router={router} />
        </SignedIn>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
