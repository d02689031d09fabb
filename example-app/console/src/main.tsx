import "@mantine/core/styles.css";
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
