/** Whether a path leads to the redirects and pages of signing in. */
export function isSignOnPath(path: string): boolean {
  return path === "/sso" || path.startsWith("/sso/");
}
