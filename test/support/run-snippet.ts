import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import ts from "typescript";
import { until } from "./until.js";

/** The first block of a page in a language. */
export function block(page: string, language: string): string {
  const match = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(page);
  if (!match?.[1]) throw new Error(`the page has no ${language} block`);
  return match[1].trim();
}

const COMPILER_OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2023,
  esModuleInterop: true,
  experimentalDecorators: true, // NestJS
  emitDecoratorMetadata: true,
};

/**
 * Run a snippet, until something listens; whatever it makes listen is made to listen on a free port of the loopback.
 *
 * @param modules what it gets in place of other modules, by their names
 */
export async function run(
  snippet: string,
  express: unknown,
  modules: Readonly<Record<string, unknown>> = {},
): Promise<Server> {
  const { outputText } = ts.transpileModule(snippet, { compilerOptions: COMPILER_OPTIONS });
  const given: Readonly<Record<string, unknown>> = { express, ...modules };
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the snippet names what it imports
  const load = (id: string): unknown => given[id] ?? require(id);
  const servers: Server[] = [];
  const prototype = NetServer.prototype as { listen: (...args: unknown[]) => unknown };
  const { listen } = prototype;
  prototype.listen = function listenOnFreePort(this: Server) {
    servers.push(this);
    return listen.call(this, 0, "127.0.0.1");
  };
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is a page of this repository
    new Function("require", "exports", outputText)(load, {});
    await until(() => servers.length > 0);
  } finally {
    prototype.listen = listen;
  }
  const [server] = servers as [Server];
  Object.assign(server, { httpAllowHalfOpen: true }); // an answer that takes its time is sent all the same
  if (!server.listening) await once(server, "listening");
  return server;
}
