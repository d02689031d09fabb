export { accelerateResponses, accelerateRoutes } from "./accelerate.js";
export { appPrototypeServers } from "./messages.js";
export {
  createServer,
  type CreateServerOptions,
  type ProtocolErrorReport,
  protocolErrors,
  type ProtocolErrorsOptions,
} from "./create-server.js";
export { serverOf } from "./node-sockets.js";
export { HAS_LONE_SHAPES, shareShape } from "./shared-shape.js";
