import type { Translation } from "../define.js";
import type * as english from "../en/findings.js";

export const findings: Translation<typeof english.findings> = {
  unreachable:
    "« {rule} » (place {place}) n’est jamais atteinte : tout ce qu’elle couvre va à « {by} » (place {byPlace}).",
  unreachableMore: {
    one: "« {rule} » (place {place}) n’est jamais atteinte : tout ce qu’elle couvre va à « {by} » (place {byPlace}) et à {n} autre règle.",
    other:
      "« {rule} » (place {place}) n’est jamais atteinte : tout ce qu’elle couvre va à « {by} » (place {byPlace}) et à {n} autres règles.",
  },
  overlap:
    "« {by} » (place {byPlace}) passe avant « {rule} » (place {place}) et mène certains de ses logins à d’autres fournisseurs, par exemple {login}.",
  NO_PROVIDER: "« {rule} » ne s’applique jamais : elle ne mène à aucun fournisseur d’identité actif.",
  NO_PATTERN: "« {rule} » ne s’applique jamais : ses motifs ne correspondent à aucun texte.",
  NO_ZONE: "« {rule} » ne s’applique jamais : aucune des zones qu’elle inclut n’est active et n’a de passerelles.",
  ZONES_EXCLUDED: "« {rule} » ne s’applique jamais : elle exclut toutes les zones qu’elle inclut.",
  PLATFORMS_EXCLUDED: "« {rule} » ne s’applique jamais : elle exclut tous les appareils qu’elle inclut.",
  subdomains:
    "Le motif « {value} » couvre aussi des logins d’autres domaines, par exemple {login}. « @{value} » ne couvre aucun sous-domaine.",
  anyText:
    "Le motif « {value} » couvre aussi des logins d’autres domaines, par exemple {login}. Seuls « {suffix} » et « {equals} » s’arrêtent là où un domaine finit.",
};
