const { NodeSDK } = require("@opentelemetry/sdk-node");
const { ExpressInstrumentation } = require("@opentelemetry/instrumentation-express");
const { HttpInstrumentation } = require("@opentelemetry/instrumentation-http");

new NodeSDK({
  instrumentations: [
    new HttpInstrumentation({
      headersToSpanAttributes: { server: { responseHeaders: ["x-svc-request-id"] } },
      ignoreIncomingRequestHook: ({ url = "" }) => url === "/livez" || url === "/readyz",
    }),
    new ExpressInstrumentation(),
  ],
}).start();
