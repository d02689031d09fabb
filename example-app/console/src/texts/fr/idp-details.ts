import type { Translation } from "../define.js";
import type * as english from "../en/idp-details.js";

export const idpDetails: Translation<typeof english.idpDetails> = {
  valid: "Validité : {from} – {to}",
  expired: "Il a expiré : les applications refusent ce que ce fournisseur signe.",
  expiresToday: "Il expire dans moins d’un jour.",
  expires: { one: "Il expire dans {n} jour.", other: "Il expire dans {n} jours." },
  copyFingerprint: "Copier l’empreinte du certificat",
  fetched: "Métadonnées du fournisseur",
  refreshed: "Actualisées : {date}",
  failed: "La dernière tentative a échoué : {error}",
  refresh: "Actualiser maintenant",
  notRefreshed: "Les métadonnées n’ont pas été actualisées",
  unchanged: "Les métadonnées de « {name} » n’ont pas changé",
  tookOver: "Nouvelles métadonnées de « {name} » prises en compte",
  metadata: "Métadonnées",
  noIssuer: "Il n’y en a pas sans émetteur.",
  noneOff: "Il n’y en a pas tant que le fournisseur d’identité est désactivé.",
  showMetadata: "Afficher les métadonnées",
  hideMetadata: "Masquer les métadonnées",
  download: "Télécharger les métadonnées",
  copyAddress: "Copier l’adresse des métadonnées",
  notRead: "Les métadonnées n’ont pas été lues",
  forOthers: "Pour le fournisseur et pour les applications",
  aboutOthers:
    "Le serveur trouve ce fournisseur et y dirige les personnes ; les applications émettent les requêtes et reçoivent les réponses. Le fournisseur a donc besoin du nom de chaque application et de son adresse pour les réponses.",
  initiate: "Adresse qui lance une connexion (initiate_login_uri)",
  webfinger: "WebFinger, que les applications interrogent",
  rel: "Relation du lien (rel)",
  link: "Lien qui y mène",
  off: "Il est désactivé, donc aucun lien n’y mène.",
  copy: "Copier : {label}",
  test: "Tester l’authentification dans un nouvel onglet",
  testSaml:
    "Une page du fournisseur devrait s’ouvrir. Ce peut être une page d’erreur, car aucune application n’envoie de requête SAML.",
  testOther:
    "Une page du fournisseur devrait s’ouvrir. Ce peut être une page d’erreur, car aucune application n’envoie les paramètres d’une requête.",
};
