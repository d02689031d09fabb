import type { Translation } from "../define.js";
import type * as english from "../en/transfer.js";

export const transfer: Translation<typeof english.transfer> = {
  about: "Reprenez les enregistrements de cette organisation depuis un fichier, ou placez-les dans un fichier.",
  mayNotExport: "Le jeton ne peut pas exporter",
  neededScopes:
    "Il lui faut les autorisations de lire les politiques, les fournisseurs d’identité, les zones, les origines de confiance et les utilisateurs.",
  export: "Export",
  exportAbout:
    "Un fichier avec les fournisseurs d’identité, les zones, les origines de confiance, les règles et les utilisateurs. Il ne contient ni jetons ni journal.",
  withUsers: "Avec les utilisateurs",
  personal: "Ce sont des données personnelles : gardez le fichier en lieu sûr.",
  exportNow: "Exporter",
  exporting: "Export en cours",
  exportFailed: "Rien n’a été exporté",
  exportCancelled: "Annulé.",
  exported: "{name} fait {bytes} octets.",
  workingFor: { one: "{what}, depuis {n} seconde", other: "{what}, depuis {n} secondes" },
};
