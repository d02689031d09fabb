import type { Translation } from "../define.js";
import type * as english from "../en/idp-start.js";

export const idpStart: Translation<typeof english.idpStart> = {
  how: "Wie der Identitätsanbieter hinzugefügt wird",
  address: "Über seine Adresse",
  file: "Aus einer Datei",
  byHand: "Von Hand ausfüllen",
  aboutByHand: "Nötig sind ein Name und die Anmeldeadresse.",
  product: "Produkt",
  aboutProduct: "Trägt ein, was seine Adressen gemeinsam haben.",
  any: "Beliebig",
  anyProduct: "Beliebiges Produkt",
  url: "Adresse der Metadaten oder Aussteller",
  aboutUrl: "SAML hat Metadaten, OpenID Connect einen Aussteller. Der Server liest sie nur und speichert noch nichts.",
  fillIn: "Zuerst {blank} ausfüllen",
  read: "Lesen",
  notRead: "Die Metadaten wurden nicht gelesen",
  unusable: "Nicht verwendbar: {fault}",
  asBoth: "als Metadaten: {asMetadata}; als Aussteller: {asIssuer}",
  metadataFile: "Metadaten-Datei",
  aboutFile: "SAML-Metadaten (XML) oder eine OpenID-Konfiguration (JSON). Die Datei lässt sich hierher ziehen.",
  chooseFile: "Datei auswählen",
  noFile: "Keine Datei",
  tooBig: "Die Datei ist größer als 256 KiB: Metadaten eines einzelnen Anbieters sind kleiner.",
  paste: "Oder den Text einfügen",
  either: "{saml} oder {openId}",
  auth0: "Die einer Anwendung mit dem Add-on SAML2 Web App.",
  google:
    "Das ist OpenID Connect. Für SAML die Metadaten in der Admin-Konsole herunterladen und „Aus einer Datei“ wählen.",
  jumpcloud:
    "Das ist OpenID Connect in der Region US. Für SAML die Metadaten der Anwendung exportieren und „Aus einer Datei“ wählen.",
  keycloak: "Für OpenID Connect stattdessen {issuer} angeben.",
  entra:
    "Die Mandanten-ID (tenant id) steht in der Übersicht des Mandanten. Für OpenID Connect stattdessen {issuer} angeben.",
  okta: "Auf der Seite Sign On der Anwendung steht sie als Metadata URL.",
  onelogin: "Auf der Seite SSO der Anwendung steht sie als Issuer URL.",
  pingone:
    "Auf der Seite Configuration der Anwendung steht sie als IDP Metadata URL. In anderen Regionen endet der Host auf .eu, .ca, .asia oder .com.au.",
};
