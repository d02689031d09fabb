import type { Translation } from "../define.js";
import type * as english from "../en/help.js";

export const help: Translation<typeof english.help> = {
  apiDocs: "Documentation de l’API",
  tryLogin:
    "La page répond comme WebFinger : quel fournisseur d’identité reçoit le login, et quelle règle en décide. Pour chaque règle testée, vous voyez ce que ses conditions ont vu. Aucun fournisseur n’est interrogé et rien n’est enregistré sur le serveur.",
  rules:
    "Une règle de routage mène les logins qui remplissent toutes ses conditions à ses fournisseurs d’identité. L’ensemble des règles est la politique de découverte. Elles sont testées par priorité ; la règle par défaut vient en dernier, pour tous les autres.",
  tests:
    "Un test de routage dit quel fournisseur ou quelle règle un login doit obtenir. Tous les tests tournent à chaque modification de règles, de fournisseurs et de zones. Une modification qui en fait échouer un est refusée, sauf si vous la faites quand même.",
  idps: "Un fournisseur d’identité (IdP) authentifie les personnes, avec SAML ou OpenID Connect. Ce serveur connaît son adresse et y dirige les personnes. Exemples : Microsoft Entra ID, Okta et Keycloak.",
  zones:
    "Une zone est une partie du réseau qui porte un nom, comme un bureau : une liste d’adresses IP. Les règles vérifient si un login en vient. Une zone désactivée n’a aucune adresse.",
  origins:
    "Une origine est le schéma, l’hôte et le port d’un site, par exemple https://portal.example.com. Ses pages ne peuvent appeler cette API, et le serveur n’y renvoie des personnes, que si elle est de confiance.",
  users:
    "Les utilisateurs sont les personnes de l’organisation, avec un profil. Le serveur n’enregistre aucun mot de passe : un fournisseur d’identité les vérifie. Les règles sur les logins, adresses et appareils valent aussi pour qui n’est pas utilisateur.",
  tokens:
    "Un jeton d’API est un secret avec lequel un programme appelle l’API de cette organisation. Il peut ce que permettent ses autorisations (scopes), jusqu’à son expiration ou sa révocation.",
  log: "Le Journal système a un événement pour chaque modification et chaque requête : qui, quoi, quand, d’où, et le résultat, SUCCESS ou FAILURE. Personne ne peut y modifier ni supprimer d’événements.",
  history:
    "Chaque modification de règles, de fournisseurs d’identité, de zones et d’origines de confiance crée une révision numérotée. Vous voyez l’état d’avant et d’après, et pouvez le restaurer. Une restauration est elle-même une révision.",
  transfer:
    "Un fichier JSON contient la configuration de l’organisation et ses utilisateurs. Un import trouve les enregistrements par leur nom, les utilisateurs par leur login. Il crée et modifie, mais ne supprime rien. Le même fichier ne change rien la deuxième fois.",
  login:
    "Le nom avec lequel une personne se connecte, en général une adresse e-mail comme joe@example.com. On l’appelle aussi identifiant de l’utilisateur (user identifier). La casse ne compte pas.",
  clientAddress:
    "L’adresse IP depuis laquelle une personne imaginée se connecte, par exemple 192.0.2.7. Elle détermine dans quelles zones est la personne. Vide : votre propre adresse.",
  device:
    "L’appareil avec lequel une personne imaginée se connecte. Les navigateurs l’indiquent dans l’en-tête User-Agent, que vous pouvez coller ici. Le serveur en tire la plateforme : ordinateur ou téléphone, et le système d’exploitation.",
  rulesOf:
    "Essayez un login avec les règles, zones et fournisseurs du passé, pour voir pourquoi il y menait. Les attributs des utilisateurs sont ceux d’aujourd’hui.",
  nearMiss:
    "Une règle qui aurait décidé si une condition ou quelques-unes de plus avaient été remplies. Elle aide à comprendre pourquoi une autre règle ne s’est pas appliquée.",
  webfinger:
    "Par WebFinger (RFC 7033), une application demande à ce serveur qui authentifie un login. La réponse est du JSON, avec un lien vers chaque fournisseur d’identité, par ordre de préférence.",
  finding:
    "Un constat dit ce qui peut être erroné dans une règle active : des règles précédentes prennent tous ses logins (UNREACHABLE) ou certains (OVERLAP), nul ne remplit ses conditions (NEVER_MATCHES), ou un motif prend d’autres domaines (NO_LABEL_BOUNDARY).",
  decisionCount:
    "Le serveur compte quelle règle a décidé de chaque login et garde ces nombres 90 jours. Une règle qui n’a décidé d’aucun est peut-être superflue.",
  priority:
    "Les règles sont testées à partir de la priorité 1, et la première qui s’applique décide. Une règle insérée décale d’une place celles qui suivent. Vide : la dernière place avant la règle par défaut.",
  userIdentifier:
    "La condition sur la personne qui se connecte. Elle compare le login (user identifier) à des motifs, ou un attribut du profil de l’utilisateur à un motif. Sans elle, la règle vaut pour tous les logins.",
  attribute:
    "Le nom d’un attribut du profil de l’utilisateur qui a ce login, par exemple department. S’il a plusieurs valeurs, l’une doit correspondre. La condition n’est jamais remplie pour qui n’est pas utilisateur ici.",
  matchType:
    "« est dans ou sous » (SUFFIX) : le domaine et ses sous-domaines ; example.com prend joe@example.com et joe@a.example.com, @example.com seulement le premier. EQUALS compare tout le texte, STARTS_WITH et CONTAINS une partie. Un motif doit correspondre.",
  network:
    "La condition sur l’adresse IP du client (network). Elle doit être dans une des premières zones et dans aucune des autres. « N’importe quelle zone » désigne toutes les adresses qui sont dans une zone.",
  platform:
    "La condition sur l’appareil (platform). Le navigateur l’indique dans l’en-tête User-Agent, que chacun peut falsifier : c’est un confort, pas une protection. Les tablettes comptent comme des téléphones.",
  providers:
    "Les fournisseurs d’identité auxquels mène la règle, le préféré d’abord. Les applications reçoivent un lien vers chacun ; sur la page de connexion, la personne choisit. L’organisation même désigne sa propre adresse d’authentification.",
  providerExpression:
    "La règle choisit le fournisseur actif dont le nom est la valeur de cette expression. login.identifier.substringAfter('@').toLowerCase() est le domaine : joe@contoso.example mène au fournisseur contoso.example. substringBefore existe aussi.",
  dynamic:
    "Une règle pour de nombreux fournisseurs (DYNAMIC) : elle calcule un nom à partir du login, par exemple son domaine, et choisit le fournisseur qui porte ce nom. S’il n’y en a pas, la règle suivante est testée.",
  whatIf:
    "Avant l’enregistrement, le serveur calcule où certains logins iraient avec cette modification : les derniers que vous avez essayés, et un par règle. Rien n’est modifié.",
  replay:
    "Le serveur prend les logins que le Journal système a pour cette période et calcule lesquels iraient à un autre fournisseur avec cette modification. Rien n’est modifié.",
  idpType:
    "SAML 2.0 et OpenID Connect sont des normes, pour tout fournisseur qui les utilise. Les autres sont des services publics, comme Google. Le type détermine les champs ci-dessous.",
  protocol:
    "Comment une application parle au fournisseur : OpenID Connect lui dit qui s’est connecté ; OAuth 2.0 seul donne accès à une API.",
  ssoUrl:
    "L’URL d’authentification unique (SSO) : là où le fournisseur reçoit les requêtes. Les métadonnées SAML l’appellent SingleSignOnService, OpenID Connect authorization_endpoint.",
  binding:
    "Comment le navigateur transmet une requête au fournisseur : HTTP redirect la met dans l’URL, HTTP POST dans un formulaire. Choisissez ce que le fournisseur offre à l’adresse d’authentification.",
  metadataUrl:
    "Les métadonnées sont un document où le fournisseur publie ses adresses et ses certificats. Le serveur les relit régulièrement et reprend les changements de l’adresse d’authentification et du certificat, jamais de l’émetteur.",
  issuer:
    "Le nom que le fournisseur se donne : l’entity ID en SAML, l’URL de l’émetteur (issuer) en OpenID Connect. Il doit être exactement le même, y compris une barre oblique finale : https://login.example.com",
  audience:
    "À qui est destinée la réponse du fournisseur : en SAML, l’entity ID de votre application. Le serveur la garde pour les applications, qui la vérifient.",
  certificate:
    "Le fournisseur signe ses réponses. Avec son certificat X.509, les applications vérifient qu’une réponse vient bien de lui. Ce serveur le publie dans les métadonnées et avertit 30 jours avant son expiration.",
  clientId:
    "Le nom que le fournisseur a donné à votre application lors de l’inscription (client_id). Il n’est pas secret. Un secret de client n’a rien à faire ici : le serveur n’en enregistre aucun.",
  fingerprint:
    "Un court condensé du certificat. Si le fournisseur affiche le même, vous avez le bon certificat. Après son dernier jour, les applications refusent ce qui est signé avec lui.",
  fetchedMetadata:
    "Ce que le fournisseur publie lui-même à l’adresse des métadonnées. Le serveur le relit régulièrement ; vous voyez ici quand il l’a fait, et pourquoi la dernière tentative a échoué.",
  samlMetadata:
    "Un document XML avec l’entity ID, l’adresse d’authentification et le certificat de ce fournisseur. Les applications le lisent à cette adresse, sans jeton, et savent ainsi ce qu’il leur faut.",
  forOthers:
    "Inscrivez chaque application auprès du fournisseur, avec son nom (entity ID ou client ID) et son adresse pour les réponses : en SAML l’URL du service ACS (assertion consumer service), en OpenID Connect l’URI de redirection. Ce serveur n’en a pas.",
  initiateLogin:
    "Un portail ou le fournisseur envoie ici les personnes pour lancer une connexion (OpenID Connect Core, section 4). Inscrivez cette adresse comme initiate_login_uri.",
  rel: "Une réponse WebFinger a des liens de plusieurs sortes. Cette relation (rel) est celle des liens qui mènent au fournisseur d’identité.",
  ssoLink:
    "Cette adresse redirige les personnes vers l’adresse d’authentification du fournisseur. Ajoutez ?login_hint=joe@example.com pour transmettre un login aux fournisseurs qui l’acceptent.",
  replaceIdp:
    "Met un autre fournisseur à la place de celui-ci dans chaque règle qui le nomme. Vous voyez d’abord quels logins de test iraient ailleurs.",
  metadataSource:
    "La plupart des fournisseurs publient leurs paramètres à une adresse. Pour SAML, donnez celle des métadonnées ; pour OpenID Connect, l’émetteur, auquel le serveur ajoute /.well-known/openid-configuration.",
  metadataFile:
    "Les métadonnées d’un fournisseur SAML (XML) ou la configuration OpenID (JSON), dans un fichier. Il remplit le formulaire ; rien n’est gardé avant l’enregistrement.",
  gateways:
    "Les adresses par lesquelles les personnes de la zone vont sur Internet. Donnez au plus 150 blocs (192.0.2.0/24), adresses (192.0.2.7) ou plages (192.0.2.1-192.0.2.9).",
  proxies:
    "Vos proxys entre les personnes et ce serveur. Un proxy cache l’adresse de la personne et l’indique dans X-Forwarded-For. L’organisation ne s’y fie que pour les adresses de cette liste : n’en donnez aucune que des inconnus peuvent utiliser.",
  origin:
    "Le schéma, l’hôte et le port tels qu’un navigateur les envoie : https://portal.example.com ou https://portal.example.com:8443. Il n’y a pas de caractères génériques. http n’est permis que pour cette machine (localhost).",
  originScopes:
    "CORS : les pages de l’origine peuvent appeler l’API depuis un navigateur, avec un jeton. REDIRECT : après une connexion lancée par un portail, le serveur peut envoyer les personnes vers ses pages (target_link_uri).",
  words:
    "Trouve les utilisateurs par le début des mots de leur login, de leur adresse e-mail et de leurs noms, dans n’importe quel ordre : « ada love » trouve Ada Lovelace. La casse et les accents ne comptent pas.",
  userFilter:
    'Une expression sur des valeurs exactes : status eq "ACTIVE" and profile.lastName eq "Doe". Les dates acceptent aussi gt, ge, lt et le. La casse compte.',
  userSearch:
    'Une expression sur n’importe quel attribut, même sur une partie : sw (commence par), co (contient), pr (est présent), gt, lt, and, or. Exemple : profile.department sw "Sales". Elle peut prendre plus de temps qu’un filtre.',
  status:
    "STAGED : pas encore activé. ACTIVE : en usage. SUSPENDED : hors d’usage pour un temps. DEPROVISIONED : désactivé, absent de la liste, peut être supprimé. PROVISIONED, RECOVERY, PASSWORD_EXPIRED et LOCKED_OUT concernent les mots de passe. Les règles ignorent le statut.",
  lifecycle:
    "Chaque action donne un autre statut à l’utilisateur. Une suspension peut être levée. « Désactiver » mène à DEPROVISIONED ; alors seulement vous pouvez supprimer. Le serveur n’a pas de mots de passe : les actions à leur sujet ne changent que le statut.",
  attributes:
    "Vos propres attributs dans le profil, par exemple department ou groups. Les règles peuvent les vérifier. Un nom se compose de lettres, de chiffres et de _, et commence par une lettre.",
  scopes:
    "Une autorisation (scope) porte sur un type d’enregistrements : users.read lit les utilisateurs, users.manage les modifie aussi. Ne donnez à un programme que ce qu’il lui faut. Les règles sur les attributs demandent aussi users.read.",
  lifetime:
    "Quand le jeton expire. Ensuite, les requêtes avec lui sont refusées (401). Aucun jeton ne vit plus longtemps que celui qui l’a créé.",
  tokenAddresses:
    "Depuis ailleurs, le jeton est refusé ; un jeton volé sert donc moins. Donnez des adresses, des blocs comme 192.0.2.0/24 ou des plages. Les zones ne comptent pas ici.",
  overlap:
    "Après le renouvellement, les deux secrets sont valables pendant cette durée : vous donnez le nouveau aux programmes sans interruption. Si l’ancien a fuité, mettez-y fin tout de suite.",
  madeBy:
    "Ce qui a créé les jetons : un autre jeton, l’utilisateur d’un jeton d’accès ou une commande. Révoquer un jeton révoque aussi tous ceux qu’il a créés.",
  logWords:
    "Trouve les événements qui ont tous ces mots dans leur type, message, raison ou adresse, ou dans les identifiants et noms des acteurs et des cibles. Dix mots au plus ; la casse ne compte pas.",
  logView:
    "Modifications : les événements qui ont changé quelque chose. Échecs : ceux dont le résultat est FAILURE. « Modifications et échecs » omet ce qui est DEBUG : les requêtes qui n’ont fait que lire et ont réussi.",
  eventType:
    "Ce qui s’est passé, comme nom à points : zone.update est la modification d’une zone. Vous pouvez choisir plusieurs types.",
  logFilter:
    'Une expression sur les attributs des événements : eq, ne, sw, co, pr, and, or, not. Exemples : eventType eq "zone.update" and outcome.result eq "SUCCESS" ; client.ipAddress sw "192.0.2."',
  live: "Les nouveaux événements apparaissent sans recharger la page. Tant que vous lisez plus bas ou utilisez la liste, ils attendent derrière un bouton.",
  severity:
    "La gravité d’un événement. DEBUG : une requête qui a réussi. INFO : une modification. WARN : une requête refusée, ou ce qui demande bientôt votre attention. ERROR : une requête à laquelle le serveur n’a pas pu répondre.",
  requestId:
    "Chaque requête a un identifiant qui relie tout ce qui en fait partie. La réponse l’a dans X-Svc-Request-Id, une erreur comme errorId. Il permet de trouver les événements de la requête.",
  importFile:
    "Un fichier tel qu’un export l’écrit, de 1 Mio au plus. La page fait d’abord un essai (dry run) qui n’enregistre rien : vous voyez chaque modification et chaque erreur. Ensuite, vous décidez.",
  withUsers:
    "Les profils et statuts de tous les utilisateurs. Sans eux, le fichier n’a que la configuration, et aucune donnée personnelle sauf les logins des règles et des tests.",
};
