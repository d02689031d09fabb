/** Whether a path is of a template, whose segments in braces are variable. */
export function fitsTemplate(template: readonly string[], path: string): boolean {
  const segments = path.split("/");
  return (
    template.length === segments.length &&
    template.every((part, index) => part.includes("{") || part === segments[index])
  );
}
