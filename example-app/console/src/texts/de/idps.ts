import type { Translation } from "../define.js";
import type * as english from "../en/idps.js";

export const idps: Translation<typeof english.idps> = {
  about:
    "Hier melden sich Personen an. Regeln wählen für jeden Login einen Anbieter; ausgeschaltete werden übersprungen.",
  empty:
    "Den ersten über die Adresse seiner Metadaten, aus einer Datei oder von Hand hinzufügen. Danach eine Regel hinzufügen, die zu ihm führt.",
  name: "Name",
  type: "Typ",
  typeFixed: "Kann nicht geändert werden.",
  protocolType: "Protokoll",
  where: "Wo die Anmeldung stattfindet",
  url: "Anmeldeadresse",
  binding: "Binding",
  aboutBinding: "Wie ein Browser die Anfrage dorthin überträgt.",
  metadataUrl: "Metadaten-Adresse",
  aboutMetadataUrl:
    "Falls der Anbieter eine hat: Der Server hält Anmeldeadresse und Zertifikat aktuell. Dafür ist der Aussteller nötig.",
  trust: "Vertrauensstellung",
  issuer: "Aussteller",
  aboutIssuer: "Die Entity-ID. Ohne sie gibt es keine Metadaten.",
  audience: "Zielgruppe (Audience)",
  certificate: "Zertifikat",
  aboutCertificate: "Im PEM-Format; niemals ein privater Schlüssel.",
  clientId: "Client-ID",
  isOn: "Der Identitätsanbieter ist eingeschaltet",
  mayLead: "Auch eine Regel, die ihren Anbieter nach Namen findet, kann hierher führen.",
};
