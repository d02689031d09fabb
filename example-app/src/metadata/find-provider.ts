import type { Steps } from "../pace/steps.js";
import { MetadataError } from "./metadata-error.js";
import { isSaml2, valueOf, walkSaml, type Path, type SamlReader } from "./walk-saml.js";

/** Elements with a name for people, the one that is most about the provider first. */
const NAMES = ["mdui:DisplayName", "md:OrganizationDisplayName", "md:OrganizationName"];

/** In characters; the rest of a longer one is left out. */
const MAX_NAME = 1_024;

export interface FoundProvider {
  readonly entityId: string;
  /** As it is written, which may be no name for a record; `undefined` when the metadata gives none. */
  readonly name: string | undefined;
}

/**
 * The identity provider that metadata describes, with the first of its names.
 *
 * @throws {MetadataError} when it is no SAML metadata, or describes none or several
 */
export function* findSamlProvider(text: string): Steps<FoundProvider> {
  const found: FoundProvider[] = [];
  yield* walkSaml(text, createReader(found));
  const [first] = found;
  if (!first)
    throw new MetadataError("the metadata has no IDPSSODescriptor for SAML 2.0: it is of no identity provider");
  if (found.length > 1) {
    throw new MetadataError(`the metadata is of ${found.length} identity providers; give that of one`);
  }
  return first;
}

function createReader(found: FoundProvider[]): SamlReader {
  let entityId = "";
  let isProvider = false;
  let names = new Map<string, string>();
  let name: string | undefined; // the element of the name that is being read

  return {
    open(path: Path, tag): void {
      const element = path.at(-1) ?? "";
      if (element === "md:EntityDescriptor") {
        entityId = valueOf(tag, "entityID");
        isProvider = false;
        names = new Map();
      }
      if (element === "md:IDPSSODescriptor") isProvider ||= isSaml2(tag);
      if (!NAMES.includes(element) || names.has(element)) return;
      name = element;
      names.set(element, "");
    },

    text(part): void {
      if (name !== undefined) names.set(name, ((names.get(name) ?? "") + part).slice(0, MAX_NAME));
    },

    close(path: Path): void {
      const element = path.at(-1);
      if (element === name) name = undefined;
      if (element !== "md:EntityDescriptor" || !isProvider) return;
      const [best] = NAMES.flatMap((each) => names.get(each) ?? []);
      found.push({ entityId, name: best });
      isProvider = false;
    },
  };
}
