import type { Translation } from "../define.js";
import type * as english from "../en/idp-start.js";

export const idpStart: Translation<typeof english.idpStart> = {
  how: "Comment ajouter le fournisseur d’identité",
  address: "Depuis son adresse",
  file: "Depuis un fichier",
  byHand: "Remplir à la main",
  aboutByHand: "Il faut un nom et l’adresse d’authentification.",
  product: "Produit",
  aboutProduct: "Remplit ce que ses adresses ont en commun.",
  any: "Tous",
  anyProduct: "Tous les produits",
  url: "Adresse de ses métadonnées, ou son émetteur",
  aboutUrl:
    "SAML a des métadonnées ; OpenID Connect a un émetteur. Le serveur les lit sans rien enregistrer pour l’instant.",
  fillIn: "Remplissez d’abord {blank}",
  read: "Lire",
  notRead: "Les métadonnées n’ont pas été lues",
  unusable: "Inutilisable : {fault}",
  asBoth: "comme métadonnées : {asMetadata} ; comme émetteur : {asIssuer}",
  metadataFile: "Fichier de métadonnées",
  aboutFile: "Métadonnées SAML (XML) ou configuration OpenID (JSON). Vous pouvez déposer le fichier ici.",
  chooseFile: "Choisir un fichier",
  noFile: "Aucun fichier",
  tooBig: "Le fichier dépasse 256 Kio : les métadonnées d’un seul fournisseur sont plus petites.",
  paste: "Ou collez son texte",
  either: "{saml} ou {openId}",
  auth0: "Celle d’une application avec le module SAML2 Web App.",
  google:
    "C’est OpenID Connect. Pour SAML, téléchargez les métadonnées dans la console d’administration et choisissez « Depuis un fichier ».",
  jumpcloud:
    "C’est OpenID Connect, dans la région US. Pour SAML, exportez les métadonnées de l’application et choisissez « Depuis un fichier ».",
  keycloak: "Pour OpenID Connect, indiquez plutôt {issuer}.",
  entra:
    "L’ID du locataire (tenant id) figure dans la vue d’ensemble du locataire. Pour OpenID Connect, indiquez plutôt {issuer}.",
  okta: "La page Sign On de l’application l’affiche sous Metadata URL.",
  onelogin: "La page SSO de l’application l’affiche sous Issuer URL.",
  pingone:
    "La page Configuration de l’application l’affiche sous IDP Metadata URL. Dans les autres régions, l’hôte se termine par .eu, .ca, .asia ou .com.au.",
};
