import type { Translation } from "../define.js";
import type * as english from "../en/idps.js";

export const idps: Translation<typeof english.idps> = {
  about:
    "Là où les personnes se connectent. Les règles en choisissent un pour chaque login ; ceux qui sont désactivés sont ignorés.",
  empty:
    "Ajoutez le premier à partir de l’adresse de ses métadonnées, d’un fichier ou à la main. Ajoutez ensuite une règle qui y mène.",
  name: "Nom",
  type: "Type",
  typeFixed: "Ne peut pas être modifié.",
  protocolType: "Protocole",
  where: "Où les personnes se connectent",
  url: "Adresse d’authentification",
  binding: "Binding",
  aboutBinding: "Comment un navigateur y transmet la requête.",
  metadataUrl: "Adresse des métadonnées",
  aboutMetadataUrl:
    "Si le fournisseur en a une : le serveur tient à jour l’adresse d’authentification et le certificat. L’émetteur est alors nécessaire.",
  trust: "Relation de confiance",
  issuer: "Émetteur",
  aboutIssuer: "L’entity ID. Sans lui, il n’y a pas de métadonnées.",
  audience: "Audience",
  certificate: "Certificat",
  aboutCertificate: "Au format PEM ; jamais une clé privée.",
  clientId: "Identifiant du client",
  isOn: "Le fournisseur d’identité est activé",
  mayLead: "Une règle qui trouve son fournisseur par son nom peut aussi mener ici.",
};
