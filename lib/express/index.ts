export { accelerateResponses, accelerateRoutes } from "./accelerate.js";
export { compileCorsOperations, type CorsOperation, type OpenOperation } from "./cors-operations.js";
export { constantHeader, headerWriter, readHeader } from "./header-store.js";
export { adoptMessages, appPrototypeServers, isExpressApp, messagesFor } from "./messages.js";
export { methodsOfPath, methodsOfRoute } from "./path-methods.js";
export { findOrderFaults } from "./mount-order.js";
export { admitReader, sendDocument } from "./public-document.js";
export { nameRoute, routePatternOf } from "./route-pattern.js";
export { HAS_LONE_SHAPES, shareShape } from "./shared-shape.js";
