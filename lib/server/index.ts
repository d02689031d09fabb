export {
  createServer,
  type CreateServerOptions,
  type ProtocolErrorReport,
  protocolErrors,
  type ProtocolErrorsOptions,
} from "./create-server.js";
export { serverOf } from "./node-sockets.js";
