/** Who does what the server does by itself, for the log. */
export const SYSTEM = { id: "system", type: "SystemPrincipal", displayName: "System" };
