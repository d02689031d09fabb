import type { Translation } from "../define.js";
import type * as english from "../en/idp-details.js";

export const idpDetails: Translation<typeof english.idpDetails> = {
  valid: "Gültig von {from} bis {to}",
  expired: "Es ist abgelaufen: Anwendungen lehnen ab, was dieser Anbieter signiert.",
  expiresToday: "Es läuft innerhalb eines Tages ab.",
  expires: { one: "Es läuft in {n} Tag ab.", other: "Es läuft in {n} Tagen ab." },
  copyFingerprint: "Fingerabdruck des Zertifikats kopieren",
  fetched: "Metadaten des Anbieters",
  refreshed: "Aktualisiert: {date}",
  failed: "Der letzte Versuch ist fehlgeschlagen: {error}",
  refresh: "Jetzt aktualisieren",
  notRefreshed: "Die Metadaten wurden nicht aktualisiert",
  unchanged: "Die Metadaten von „{name}“ sind unverändert",
  tookOver: "Geänderte Metadaten von „{name}“ übernommen",
  metadata: "Metadaten",
  noIssuer: "Ohne Aussteller gibt es keine.",
  noneOff: "Solange der Identitätsanbieter ausgeschaltet ist, gibt es keine.",
  showMetadata: "Metadaten anzeigen",
  hideMetadata: "Metadaten ausblenden",
  download: "Metadaten herunterladen",
  copyAddress: "Adresse der Metadaten kopieren",
  notRead: "Die Metadaten wurden nicht gelesen",
  forOthers: "Für den Anbieter und für Anwendungen",
  aboutOthers:
    "Der Server findet diesen Anbieter und leitet Personen dorthin; Anwendungen stellen die Anfragen und erhalten die Antworten. Deshalb braucht der Anbieter von jeder Anwendung den Namen und die Adresse für Antworten.",
  initiate: "Adresse, die eine Anmeldung beginnt (initiate_login_uri)",
  webfinger: "WebFinger, das Anwendungen abfragen",
  rel: "Relation des Links (rel)",
  link: "Link, der dorthin führt",
  off: "Er ist ausgeschaltet, deshalb führt kein Link dorthin.",
  copy: "Kopieren: {label}",
  test: "Anmeldung in neuem Tab testen",
  testSaml:
    "Es öffnet sich eine Seite des Anbieters. Das kann eine Fehlerseite sein, weil keine Anwendung eine SAML-Anfrage sendet.",
  testOther:
    "Es öffnet sich eine Seite des Anbieters. Das kann eine Fehlerseite sein, weil keine Anwendung die Parameter einer Anfrage sendet.",
};
