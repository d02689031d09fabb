export { evaluateClientAddress, findClientIp, type Hop, type HopReason, type HopSource } from "./client-address.js";
export { parseForwarded, parseForwardedFor, parseForwardedProto } from "./forwarded.js";
export { isHost, isLocalHost, parseAbsoluteForm } from "./host.js";
export { compileIpRanges, type IpRange, type IpRangeSet, parseIpRange } from "./ip-ranges.js";
export { formatOrigin, isOrigin } from "./origin.js";
export { compileOriginJudge, compileTrustedOrigins, type OriginOption, type OriginVerdict } from "./trusted-origins.js";
export { compileTrustedProxies, type TrustOption, type TrustPredicate } from "./trusted-proxies.js";
export { type DeviceType, parseUserAgent, UNKNOWN_USER_AGENT, type UserAgentDetails } from "./user-agent.js";
export { compileTrust, compileTrustProxy, type ExpressTrust } from "./trust-option.js";
