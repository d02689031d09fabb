import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROVIDER = join(__dirname, "openid-provider.js");

/** Nobody listens there: the browser of the test reads the address. */
export const CALLBACK = "http://127.0.0.1:9/callback";

/** Starts `oidc-provider`. */
export async function startProvider(): Promise<{ child: ChildProcess; issuer: string }> {
  const child = fork(PROVIDER, [CALLBACK], { stdio: ["ignore", "pipe", "ignore", "ipc"] });
  if (!child.stdout) throw new Error("it has no output");
  for await (const line of createInterface(child.stdout)) {
    const [, issuer] = /^issuer (\S+)$/.exec(line) ?? [];
    if (issuer !== undefined) return { child, issuer };
  }
  throw new Error("the OpenID Provider did not start");
}

/** Signs in at the provider's own forms, as a browser; the address at which it ends. */
export async function signIn(address: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = address;
  for (let steps = 0; steps < 12 && !url.href.startsWith(CALLBACK); steps++) {
    const form = url.pathname.startsWith("/interaction/") && (await (await visit(url)).text());
    const prompt = form === false ? undefined : (/name="prompt" value="(\w+)"/.exec(form)?.[1] ?? "");
    const body = new URLSearchParams({ prompt: prompt ?? "", login: "joe", password: "x" });
    const response = await visit(url, prompt === undefined ? {} : { method: "POST", body });
    url = new URL(response.headers.get("location") ?? "", url);
  }
  return url;

  async function visit(target: URL, init: RequestInit = {}): Promise<Response> {
    const Cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(target, { ...init, redirect: "manual", headers: { Cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }
}
