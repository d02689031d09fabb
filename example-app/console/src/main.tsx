import "./main.css";
import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadLater } from "./parts/later.js";
import { queries } from "./query-client.js";
import { router } from "./router.js";
import { Boundary } from "./session/boundary.js";
import { SignedIn } from "./session/signed-in.js";
import { loadTexts } from "./texts/load.js";
import { theme } from "./theme.js";

/** So long the first page has the connection for itself, in milliseconds. */
const PRELOAD_MS = 2_000;

/** So long after a style could not be loaded it is asked for once more. */
const STYLE_RETRY_MS = 1_000;

/** What nobody has opened yet opens without the server, too. */
function preloadPages(): void {
  const load = () => {
    const pages = Object.values(router.routesById).map(async ({ options }) => {
      const { component } = options as { component?: { preload?: () => Promise<unknown> } };
      await component?.preload?.();
    });
    void Promise.allSettled(pages).then(loadLater); // pages have parts of their own
  };
  if ("requestIdleCallback" in window) window.requestIdleCallback(load);
  else setTimeout(load, 1_000);
}

// a page that lacks one of its styles for a moment is better than no page
window.addEventListener("vite:preloadError", (event) => {
  const href = /^Unable to preload CSS for (\S+)$/.exec(event.payload.message)?.[1];
  if (href === undefined) return;
  event.preventDefault();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", crossOrigin: "", href });
  setTimeout(() => {
    document.head.append(link);
  }, STYLE_RETRY_MS);
});

window.addEventListener("load", () => setTimeout(preloadPages, PRELOAD_MS));

void router.load(); // beside the request for the session

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const shown = createRoot(root);
void loadTexts().then(() => {
  shown.render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Boundary>
            <SignedIn>
              <RouterProvider router={router} />
            </SignedIn>
          </Boundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
});

// without an export, the bundler takes it for CommonJS, and wraps every module that it imports
export {};
