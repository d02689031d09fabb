import type { Translation } from "../define.js";
import type * as english from "../en/help.js";

export const help: Translation<typeof english.help> = {
  apiDocs: "Dokumentation der API",
  tryLogin:
    "Antwortet wie WebFinger: welchen Identitätsanbieter der Login bekommt und welche Regel das entscheidet. Für jede geprüfte Regel sehen Sie, was ihre Bedingungen vorfanden. Kein Anbieter wird gefragt, nichts wird auf dem Server gespeichert.",
  rules:
    "Eine Routing-Regel führt die Logins, die alle ihre Bedingungen erfüllen, zu ihren Identitätsanbietern. Alle Regeln zusammen sind die Discovery-Richtlinie. Sie werden nach Priorität geprüft; zuletzt kommt die Standardregel, für alle anderen.",
  tests:
    "Ein Routing-Test legt fest, welchen Anbieter oder welche Regel ein Login bekommen muss. Alle Tests laufen bei jeder Änderung von Regeln, Identitätsanbietern und Zonen. Schlägt danach einer fehl, wird die Änderung abgelehnt, außer Sie bestehen darauf.",
  idps: "Ein Identitätsanbieter (IdP) meldet Personen an, mit SAML oder OpenID Connect. Dieser Server kennt seine Adresse und leitet Personen dorthin. Beispiele sind Microsoft Entra ID, Okta und Keycloak.",
  zones:
    "Eine Zone ist ein benannter Teil des Netzwerks, etwa ein Büro: eine Liste von IP-Adressen. Regeln fragen, ob ein Login von dort kommt. Eine ausgeschaltete Zone hat keine Adressen.",
  origins:
    "Ein Ursprung (Origin) besteht aus Schema, Host und Port einer Website, etwa https://portal.example.com. Nur wenn er vertrauenswürdig ist, dürfen Seiten von dort diese API aufrufen oder schickt der Server Personen dorthin zurück.",
  users:
    "Benutzer sind die Personen der Organisation, mit einem Profil. Der Server speichert keine Passwörter: Die prüft ein Identitätsanbieter. Regeln zu Logins, Adressen und Geräten gelten auch für Personen, die hier keine Benutzer sind.",
  tokens:
    "Ein API-Token ist ein Geheimnis, mit dem ein Programm die API dieser Organisation aufruft. Es darf, was seine Berechtigungen (Scopes) erlauben, bis es abläuft oder widerrufen wird.",
  log: "Das Systemprotokoll hat für jede Änderung und jede Anfrage ein Ereignis: wer, was, wann, von wo, und das Ergebnis, SUCCESS oder FAILURE. Niemand kann hier Ereignisse ändern oder löschen.",
  history:
    "Jede Änderung von Regeln, Identitätsanbietern, Zonen und vertrauenswürdigen Ursprüngen erzeugt eine Revision mit einer Nummer. Sie sehen, was vorher und nachher galt, und können es wiederherstellen. Auch das ist eine Revision.",
  transfer:
    "Eine JSON-Datei enthält die Konfiguration der Organisation und ihre Benutzer. Ein Import findet Datensätze am Namen, Benutzer am Login. Er legt an und ändert, entfernt aber nichts. Dieselbe Datei ein zweites Mal ändert nichts.",
  login:
    "Der Name, mit dem sich eine Person anmeldet, meist eine E-Mail-Adresse wie joe@example.com. Er heißt auch Benutzerkennung (user identifier). Groß- und Kleinschreibung spielen keine Rolle.",
  clientAddress:
    "Die IP-Adresse, von der sich eine gedachte Person anmeldet, etwa 192.0.2.7. Sie entscheidet, in welchen Zonen die Person ist. Leer: Ihre eigene Adresse.",
  device:
    "Das Gerät, mit dem sich eine gedachte Person anmeldet. Browser nennen es im Header User-Agent, den Sie hier einfügen können. Der Server liest daraus die Plattform: Computer oder Telefon, und das Betriebssystem.",
  rulesOf:
    "Prüft einen Login mit den Regeln, Zonen und Anbietern von früher, um zu sehen, warum er dorthin führte. Attribute von Benutzern sind die von heute.",
  nearMiss:
    "Eine Regel, die entschieden hätte, wenn eine Bedingung oder einige wenige mehr erfüllt gewesen wären. So finden Sie heraus, warum eine andere Regel nicht galt.",
  webfinger:
    "Mit WebFinger (RFC 7033) fragt eine Anwendung diesen Server, wer einen Login anmeldet. Die Antwort ist JSON mit einem Link zu jedem Identitätsanbieter, der bevorzugte zuerst.",
  finding:
    "Ein Befund sagt, was an einer aktiven Regel falsch sein kann: Frühere Regeln nehmen ihr alle Logins (UNREACHABLE) oder einige (OVERLAP), niemand erfüllt sie (NEVER_MATCHES), oder ein Muster erfasst auch andere Domains (NO_LABEL_BOUNDARY).",
  decisionCount:
    "Der Server zählt, welche Regel jeden Login entschied, und behält die Zahlen 90 Tage. Eine Regel, die keinen entschied, ist vielleicht überflüssig.",
  priority:
    "Regeln werden ab Priorität 1 geprüft; die erste zutreffende entscheidet. Kommt eine Regel dazwischen, rücken die folgenden um einen Platz weiter. Leer: der letzte Platz vor der Standardregel.",
  userIdentifier:
    "Die Bedingung, wer sich anmeldet. Sie vergleicht den Login (user identifier) mit Mustern oder ein Attribut aus dem Profil des Benutzers mit einem Muster. Ohne sie gilt die Regel für jeden Login.",
  attribute:
    "Der Name eines Attributs im Profil des Benutzers mit diesem Login, etwa department. Hat es mehrere Werte, muss einer passen. Auf Personen, die hier keine Benutzer sind, trifft die Bedingung nicht zu.",
  matchType:
    "„ist bei oder unterhalb von“ (SUFFIX): die Domain und die darunter; example.com erfasst joe@example.com und joe@a.example.com, @example.com nur das erste. „ist“ (EQUALS), „beginnt mit“ (STARTS_WITH) und „enthält“ (CONTAINS) vergleichen den Text. Ein Muster muss passen.",
  network:
    "Die Bedingung zur IP-Adresse des Clients (network). Die Adresse muss in einer der ersten Zonen liegen und in keiner der anderen. „Beliebige Zone“ sind alle Adressen, die in einer Zone liegen.",
  platform:
    "Die Bedingung zum Gerät (platform). Der Browser nennt es im Header User-Agent, den jeder fälschen kann: Sie dient der Bequemlichkeit, nicht dem Schutz. Tablets zählen als Telefone.",
  providers:
    "Die Identitätsanbieter, zu denen die Regel führt, der beste zuerst. Anwendungen erhalten zu jedem einen Link; auf der Anmeldeseite wählt die Person. Die Organisation selbst steht für ihre eigene Anmeldeadresse.",
  providerExpression:
    "Die Regel wählt den aktiven Anbieter, dessen Name der Wert dieses Ausdrucks ist. login.identifier.substringAfter('@').toLowerCase() ist die Domain: joe@contoso.example führt zum Anbieter contoso.example. Es gibt auch substringBefore.",
  dynamic:
    "Eine Regel für viele Anbieter (DYNAMIC): Sie berechnet aus dem Login einen Namen, etwa seine Domain, und wählt den Anbieter, der so heißt. Gibt es keinen, wird die nächste Regel geprüft.",
  whatIf:
    "Vor dem Speichern ermittelt der Server, wohin einige Logins mit dieser Änderung führen würden: die zuletzt ausprobierten und je einer pro Regel. Dabei wird nichts geändert.",
  replay:
    "Der Server nimmt die Logins, die das Systemprotokoll für diese Zeit hat, und ermittelt, wer mit dieser Änderung zu einem anderen Anbieter käme. Dabei wird nichts geändert.",
  idpType:
    "SAML 2.0 und OpenID Connect sind Standards, für jeden Anbieter, der sie beherrscht. Die anderen sind öffentliche Dienste, etwa Google. Vom Typ hängt ab, welche Felder der Anbieter unten hat.",
  protocol:
    "Wie eine Anwendung mit dem Anbieter spricht: OpenID Connect sagt ihr, wer sich angemeldet hat; OAuth 2.0 allein gibt Zugriff auf eine API.",
  ssoUrl:
    "Die Single-Sign-on-Adresse (SSO URL): Hier nimmt der Anbieter Anfragen zur Anmeldung an. In SAML-Metadaten heißt sie SingleSignOnService, in OpenID Connect authorization_endpoint.",
  binding:
    "Wie der Browser eine Anfrage zum Anbieter bringt: HTTP redirect in der URL, HTTP POST in einem Formular. Wählen Sie, was der Anbieter an der Anmeldeadresse anbietet.",
  metadataUrl:
    "Metadaten sind ein Dokument, in dem der Anbieter seine Adressen und Zertifikate veröffentlicht. Der Server ruft es immer wieder ab und übernimmt Änderungen an Anmeldeadresse und Zertifikat, nie am Aussteller.",
  issuer:
    "Der Name, den der Anbieter sich selbst gibt: in SAML die Entity-ID, in OpenID Connect die URL des Ausstellers (issuer). Er muss genau übereinstimmen, auch mit einem Schrägstrich am Ende: https://login.example.com",
  audience:
    "Für wen die Antwort des Anbieters bestimmt ist: in SAML die Entity-ID Ihrer Anwendung. Der Server speichert sie für Anwendungen; diese prüfen sie.",
  certificate:
    "Der Anbieter signiert seine Antworten. Mit seinem X.509-Zertifikat prüfen Anwendungen, ob eine Antwort wirklich von ihm ist. Der Server veröffentlicht es in den Metadaten und warnt 30 Tage vor dem Ablauf.",
  clientId:
    "Der Name, den der Anbieter Ihrer Anwendung bei der Registrierung gab (client_id). Er ist nicht geheim. Ein Client-Secret gehört nicht hierher: Der Server speichert keines.",
  fingerprint:
    "Ein kurzer Hash des Zertifikats. Zeigt der Anbieter denselben, haben Sie sein richtiges Zertifikat. Nach dem letzten Tag der Gültigkeit lehnen Anwendungen ab, was damit signiert ist.",
  fetchedMetadata:
    "Was der Anbieter selbst unter der Metadaten-Adresse veröffentlicht. Der Server ruft es regelmäßig ab; hier sehen Sie, wann zuletzt und warum der letzte Versuch fehlschlug.",
  samlMetadata:
    "Ein XML-Dokument mit Entity-ID, Anmeldeadresse und Zertifikat dieses Anbieters. Anwendungen lesen es unter dieser Adresse ohne Token und erfahren so, was sie brauchen.",
  forOthers:
    "Registrieren Sie jede Anwendung beim Anbieter, mit ihrem Namen (Entity-ID oder Client-ID) und ihrer Adresse für Antworten: in SAML die URL des Assertion Consumer Service (ACS), in OpenID Connect die Redirect-URI. Dieser Server hat beides nicht.",
  initiateLogin:
    "Hierher schickt ein Portal oder der Anbieter Personen, um eine Anmeldung zu beginnen (OpenID Connect Core, Abschnitt 4). Registrieren Sie die Adresse als initiate_login_uri.",
  rel: "Eine WebFinger-Antwort hat Links verschiedener Art. Diese Relation (rel) haben die Links, die zum Identitätsanbieter führen.",
  ssoLink:
    "Diese Adresse leitet Personen zur Anmeldeadresse des Anbieters weiter. Hängen Sie ?login_hint=joe@example.com an, um Anbietern, die das annehmen, einen Login mitzugeben.",
  replaceIdp:
    "Setzt in jeder Regel, die diesen Anbieter nennt, einen anderen an seine Stelle. Vorher sehen Sie, welche Test-Logins woandershin führen würden.",
  metadataSource:
    "Die meisten Anbieter veröffentlichen ihre Einstellungen unter einer Adresse. Für SAML geben Sie die der Metadaten an, für OpenID Connect den Aussteller; der Server ergänzt /.well-known/openid-configuration.",
  metadataFile:
    "Die Metadaten eines SAML-Anbieters (XML) oder die OpenID-Konfiguration (JSON) als Datei. Sie füllt das Formular aus; gespeichert wird erst, wenn Sie speichern.",
  gateways:
    "Die Adressen, mit denen Personen der Zone ins Internet gehen. Geben Sie höchstens 150 Blöcke (192.0.2.0/24), Adressen (192.0.2.7) oder Bereiche (192.0.2.1-192.0.2.9) an.",
  proxies:
    "Ihre Proxys zwischen Personen und diesem Server. Ein Proxy verbirgt die Adresse der Person und meldet sie in X-Forwarded-For. Die Organisation glaubt das nur Adressen aus dieser Liste: Nennen Sie keine, die Fremde nutzen können.",
  origin:
    "Schema, Host und Port, wie ein Browser sie sendet: https://portal.example.com oder https://portal.example.com:8443. Platzhalter gibt es nicht. http ist nur für diesen Rechner (localhost).",
  originScopes:
    "CORS: Seiten von dort dürfen die API im Browser aufrufen, mit einem Token. REDIRECT: Nach einer Anmeldung, die ein Portal begann, darf der Server Personen zu Seiten von dort schicken (target_link_uri).",
  words:
    "Findet Benutzer am Anfang von Wörtern in Login, E-Mail-Adresse und Namen, in beliebiger Reihenfolge: „ada love“ findet Ada Lovelace. Großschreibung und Akzente spielen keine Rolle.",
  userFilter:
    'Ein Ausdruck über genaue Werte: status eq "ACTIVE" and profile.lastName eq "Doe". Daten nehmen auch gt, ge, lt und le. Groß- und Kleinschreibung zählen.',
  userSearch:
    'Ein Ausdruck über beliebige Attribute, auch über Teile davon: sw (beginnt mit), co (enthält), pr (ist vorhanden), gt, lt, and, or. Beispiel: profile.department sw "Sales". Eine Suche kann länger dauern als ein Filter.',
  status:
    "STAGED: noch nicht aktiviert. ACTIVE: in Gebrauch. SUSPENDED: vorübergehend außer Gebrauch. DEPROVISIONED: deaktiviert, nicht in der Liste, kann gelöscht werden. PROVISIONED, RECOVERY, PASSWORD_EXPIRED, LOCKED_OUT betreffen Passwörter. Regeln fragen nicht nach dem Status.",
  lifecycle:
    "Jede Aktion gibt dem Benutzer einen anderen Status. Eine Suspendierung lässt sich aufheben. „Deaktivieren“ führt zu DEPROVISIONED; erst dann können Sie löschen. Der Server speichert keine Passwörter: Aktionen zu Passwörtern ändern nur den Status.",
  attributes:
    "Eigene Attribute im Profil, etwa department oder groups. Regeln können danach fragen. Ein Name besteht aus Buchstaben, Ziffern und _ und beginnt mit einem Buchstaben.",
  scopes:
    "Eine Berechtigung (Scope) gilt für eine Art von Datensätzen: users.read liest Benutzer, users.manage ändert sie auch. Geben Sie einem Programm nur, was es braucht. Für Regeln zu Attributen ist auch users.read nötig.",
  lifetime:
    "Wann das Token abläuft. Danach werden Anfragen damit abgelehnt (401). Kein Token gilt länger als das, mit dem es erstellt wurde.",
  tokenAddresses:
    "Von anderswo wird das Token abgelehnt, damit ein gestohlenes weniger nützt. Geben Sie Adressen, Blöcke wie 192.0.2.0/24 oder Bereiche an. Zonen zählen hier nicht.",
  overlap:
    "Nach dem Rotieren gelten so lange beide Geheimnisse, damit Sie Programmen das neue ohne Unterbrechung geben können. Ist das alte bekannt geworden, beenden Sie es sofort.",
  madeBy:
    "Womit die Token erstellt wurden: einem anderen Token, dem Benutzer eines Zugriffstokens oder einem Befehl. Wer ein Token widerruft, widerruft auch alle, die damit erstellt wurden.",
  logWords:
    "Findet Ereignisse, die alle diese Wörter haben: in Typ, Meldung, Grund, Adresse oder in IDs und Namen von Handelnden und Zielen. Höchstens zehn Wörter; Großschreibung spielt keine Rolle.",
  logView:
    "Änderungen: Ereignisse, die etwas änderten. Fehler: solche mit dem Ergebnis FAILURE. „Änderungen und Fehler“ lässt weg, was DEBUG ist: Anfragen, die nur lasen und gelangen.",
  eventType:
    "Was geschah, als Name mit Punkten: zone.update ist die Änderung einer Zone. Sie können mehrere Typen wählen.",
  logFilter:
    'Ein Ausdruck über Attribute der Ereignisse: eq, ne, sw, co, pr, and, or, not. Beispiele: eventType eq "zone.update" and outcome.result eq "SUCCESS"; client.ipAddress sw "192.0.2."',
  live: "Neue Ereignisse erscheinen, ohne dass Sie neu laden. Während Sie weiter unten lesen oder die Liste benutzen, warten sie hinter einer Schaltfläche.",
  severity:
    "Wie ernst ein Ereignis ist. DEBUG: eine Anfrage, die gelang. INFO: eine Änderung. WARN: eine abgelehnte Anfrage oder etwas, das bald Aufmerksamkeit braucht. ERROR: eine Anfrage, die der Server nicht beantworten konnte.",
  requestId:
    "Jede Anfrage hat eine ID, die alles verbindet, was zu ihr gehört. Die Antwort hat sie in X-Svc-Request-Id, ein Fehler als errorId. Damit finden Sie die Ereignisse der Anfrage.",
  importFile:
    "Eine Datei, wie ein Export sie schreibt, mit höchstens 1 MiB. Die Seite macht zuerst einen Probelauf (dry run), der nichts speichert: Sie sehen jede Änderung und jeden Fehler. Dann entscheiden Sie.",
  withUsers:
    "Profile und Status aller Benutzer. Ohne sie hat die Datei nur die Konfiguration und keine personenbezogenen Daten außer den Logins in Regeln und Tests.",
};
