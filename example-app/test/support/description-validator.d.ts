export function readDescription(file: string): Record<string, unknown>;
export function findFault(file: string, place: string, use: "sent" | "taken", text: string): string | undefined;
