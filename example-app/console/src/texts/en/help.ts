import { defineTexts } from "../define.js";

/** What terms mean, in at most 300 characters each; and the link to what tells more. */
export const help = defineTexts("help", {
  apiDocs: "Documentation of the API",
  tryLogin:
    "It answers as WebFinger would: which identity provider the login gets, and which rule decides. For each rule that was tried you see what its conditions saw. No provider is asked, and nothing is stored on the server.",
  rules:
    "A routing rule leads the logins that meet all of its conditions to its identity providers. The rules of the org are its discovery policy. They are tried by priority; the default rule comes last and is for everyone else.",
  tests:
    "A routing test says which provider or rule a login must get. All tests run at each change of rules, identity providers and zones. A change that makes a test fail is refused, unless you make it anyway.",
  idps: "An identity provider (IdP) signs people in, with SAML or OpenID Connect. This server knows its address and sends people there. Examples are Microsoft Entra ID, Okta and Keycloak.",
  zones:
    "A zone is a part of the network with a name, such as an office: a list of IP addresses. Rules ask whether a login comes from it. A zone that is off has no addresses.",
  origins:
    "An origin is the scheme, host and port of a site, such as https://portal.example.com. Browsers let its pages call this API, or the server sends people back to them, only if the origin is trusted.",
  users:
    "Users are the people of the org, with a profile. The server stores no passwords: an identity provider checks them. Rules on logins, addresses and devices work for people who are no users, too.",
  tokens:
    "An API token is a secret with which a program calls the API of this org. It can do what its scopes allow, until it expires or is revoked.",
  log: "The System Log has an event for each change and each request: who, what, when, from where, and the outcome, SUCCESS or FAILURE. Nobody can change or delete events here.",
  history:
    "Each change of rules, identity providers, zones and trusted origins makes a revision, which has a number. You see what was before and after, and can bring it back. A restore is a revision itself.",
  transfer:
    "A JSON file holds the configuration of the org and its users. An import finds records by their names, users by their logins. It creates and changes records and removes none. The same file a second time changes nothing.",
  login:
    "The name with which a person signs in, usually an e-mail address such as joe@example.com. It is also called the user identifier. Upper and lower case are the same.",
  clientAddress:
    "The IP address from which an imagined person signs in, such as 192.0.2.7. It decides in which zones the person is. Empty: your own address.",
  device:
    "The device with which an imagined person signs in. Browsers tell it in the User-Agent header, which you can paste here. The server takes the platform from it: computer or phone, and the operating system.",
  rulesOf:
    "Try a login with the rules, zones and providers of the past, to see why it went where it did. Attributes of users are those of today.",
  nearMiss:
    "A rule that would have decided if a condition or a few more had held. It helps to find out why another rule did not apply.",
  webfinger:
    "WebFinger (RFC 7033) is how an application asks this server who signs a login in. The response is JSON with a link to each identity provider, in order of preference.",
  finding:
    "A finding tells what may be wrong with an active rule: earlier rules take all of its logins (UNREACHABLE), nobody meets its conditions (NEVER_MATCHES), it loses some logins to an earlier rule (OVERLAP), or a pattern takes other domains too (NO_LABEL_BOUNDARY).",
  decisionCount:
    "The server counts which rule decided each login, and keeps the counts for 90 days. A rule that decided none may be superfluous.",
  priority:
    "Rules are tried from priority 1 up, and the first that applies decides. A rule that comes between others moves those behind it by one. Empty: the last place before the default rule.",
  userIdentifier:
    "The condition on who signs in. It compares the login (user identifier) with patterns, or an attribute of the user's profile with one. Without it, the rule is for every login.",
  attribute:
    "The name of an attribute in the profile of the user with this login, such as department. If it has several values, one must match. A person who is no user here matches nothing.",
  matchType:
    "“is at or below” (SUFFIX): the domain and those below it; example.com takes joe@example.com and joe@a.example.com, @example.com only the first. “is” (EQUALS), “starts with” (STARTS_WITH) and “contains” (CONTAINS) compare the text. One pattern must match.",
  network:
    "The condition on the client's IP address (network). It must be in one of the first zones and in none of the others. “Any zone” is every address that is in a zone.",
  platform:
    "The condition on the device (platform). The browser tells it in its User-Agent header, which anybody can forge: it is a convenience, no protection. Tablets count as phones.",
  providers:
    "The identity providers to which the rule leads, best first. Applications get a link to each; on the sign-in page, people choose. The org itself stands for the org's own sign-in address.",
  providerExpression:
    "The rule selects the active provider whose name is the value of this expression. login.identifier.substringAfter('@').toLowerCase() is the domain: joe@contoso.example goes to the provider named contoso.example. There is substringBefore, too.",
  dynamic:
    "One rule for many providers (DYNAMIC): it computes a name from the login, such as its domain, and selects the provider with this name. If there is none, the next rule is tried.",
  whatIf:
    "Before you save, the server works out where some logins would go with this change: those that you tried last, and one for each rule. Nothing is changed.",
  replay:
    "The server takes the logins that the System Log has of this time, and works out who of them would go to another provider with this change. Nothing is changed.",
  idpType:
    "SAML 2.0 and OpenID Connect are standards, for any provider that speaks them. The others are public services, such as Google. It tells which of the fields below the provider has.",
  protocol:
    "How an application talks to the provider: OpenID Connect tells it who signed in; OAuth 2.0 alone gives access to an API.",
  ssoUrl:
    "The single sign-on (SSO) URL: where the provider takes sign-in requests. SAML metadata has it as SingleSignOnService, OpenID Connect as authorization_endpoint.",
  binding:
    "How the browser carries a request to the provider: HTTP redirect puts it into the URL, HTTP POST into a form. Take what the provider offers at the sign-on address.",
  metadataUrl:
    "Metadata is a document in which the provider publishes its addresses and certificates. The server fetches it again and again, and takes over changes of the sign-on address and the certificate. It never changes the issuer.",
  issuer:
    "The name by which the provider calls itself: the entity ID in SAML, the issuer URL in OpenID Connect. It must be exactly the same, also a slash at its end: https://login.example.com",
  audience:
    "For whom the provider's response is: the entity ID of your application in SAML. The server stores it for applications; these check it.",
  certificate:
    "The provider signs its responses. With its X.509 certificate, applications check that a response is really from the provider. This server publishes it in the metadata, and warns 30 days before it expires.",
  clientId:
    "The name that the provider gave your application when you registered it there (client_id). It is no secret. A client secret does not belong here: the server stores none.",
  fingerprint:
    "A short hash of the certificate. If the provider shows the same one, you have its right certificate. After its last day, applications refuse what is signed with it.",
  fetchedMetadata:
    "What the provider itself publishes, at the metadata address. The server fetches it regularly; here you see when it last did, and why the last attempt failed.",
  samlMetadata:
    "An XML document with the entity ID, the sign-on address and the certificate of this provider. Applications read it at this address, without a token, and so know what they need.",
  forOthers:
    "Register each application at the provider, with its name (entity ID or client ID) and its address for responses. In SAML this is the assertion consumer service (ACS) URL, in OpenID Connect the redirect URI. This server has neither.",
  initiateLogin:
    "A portal or the provider sends people here to begin a login (OpenID Connect Core, section 4). Register it as initiate_login_uri.",
  rel: "A WebFinger response has links of several kinds. This relation (rel) is of those that lead to the identity provider.",
  ssoLink:
    "Send people to this address, and they get to the provider's sign-on address. Append ?login_hint=joe@example.com to pass a login on to providers that take one.",
  replaceIdp:
    "Puts another provider in place of this one in every rule that names it. First you see which test logins would go elsewhere.",
  metadataSource:
    "Most providers publish their settings at an address. For SAML give that of the metadata; for OpenID Connect the issuer, to which the server adds /.well-known/openid-configuration.",
  metadataFile:
    "The metadata of a SAML provider (XML), or the OpenID configuration (JSON), as a file. It fills in the form; nothing is stored until you save.",
  gateways:
    "The addresses from which people in the zone reach the internet. Give blocks (192.0.2.0/24), addresses (192.0.2.7) or ranges (192.0.2.1-192.0.2.9), at most 150.",
  proxies:
    "Your proxies between people and this server. A proxy hides the address of the person and reports it in X-Forwarded-For. The org believes this only from addresses in this list: list none that strangers can use.",
  origin:
    "Scheme, host and port as a browser sends them: https://portal.example.com or https://portal.example.com:8443. There are no wildcards. http is only for this machine (localhost).",
  originScopes:
    "CORS: pages of the origin may call the API from a browser, with a token. REDIRECT: after a login that a portal began, the server may send people to its pages (target_link_uri).",
  words:
    "Finds users by the beginnings of words in the login, the e-mail address and the names, in any order: “ada love” finds Ada Lovelace. Case and accents don't count.",
  userFilter:
    'An expression on exact values: status eq "ACTIVE" and profile.lastName eq "Doe". Dates also take gt, ge, lt and le. Upper and lower case differ.',
  userSearch:
    'An expression on any attribute, also on a part of it: sw (starts with), co (contains), pr (is present), gt, lt, and, or. Example: profile.department sw "Sales". It can take longer than a filter.',
  status:
    "STAGED: not activated yet. ACTIVE: in use. SUSPENDED: out of use for a while. DEPROVISIONED: deactivated, not in the list, can be deleted. PROVISIONED, RECOVERY, PASSWORD_EXPIRED and LOCKED_OUT are about passwords. Rules don't ask for the status.",
  lifecycle:
    "Each operation gives the user another status. Suspend can be taken back with Unsuspend. Deactivate makes the user DEPROVISIONED, and only then you can delete. The server stores no passwords: operations on passwords change only the status.",
  attributes:
    "Attributes of your own in the profile, such as department or groups. Rules can ask for them. A name has letters, digits and _, and begins with a letter.",
  scopes:
    "A scope is a right to one kind of records: users.read to read users, users.manage to change them, too. Give a program only those that it needs. Rules on attributes also need to read users.",
  lifetime:
    "When the token expires. Then requests with it are refused with 401. No token lives longer than the one that makes it.",
  tokenAddresses:
    "From elsewhere the token is refused, so a stolen one is of less use. Give addresses, blocks such as 192.0.2.0/24, or ranges. Zones don't count here.",
  overlap:
    "After a rotation both secrets are valid for this time, so that you can give programs the new one without an interruption. If the old one leaked, end it at once.",
  madeBy:
    "What made the tokens: another token, the user of an access token, or a command. Revoking a token also revokes every token that it made.",
  logWords:
    "Finds events that have all of these words in their type, message, reason, address, or in the ids and names of actors and targets. At most ten words; case doesn't count.",
  logView:
    "Changes: events that changed something. Failures: those with the outcome FAILURE. “Changes and failures” leaves out what is DEBUG: requests that only read and succeeded.",
  eventType: "What happened, as a name with dots: zone.update is a change of a zone. You can choose several types.",
  logFilter:
    'An expression on the attributes of events: eq, ne, sw, co, pr, and, or, not. Examples: eventType eq "zone.update" and outcome.result eq "SUCCESS"; client.ipAddress sw "192.0.2."',
  live: "New events appear without a reload. While you read below the top or use the list, they wait behind a button.",
  severity:
    "How serious an event is. DEBUG: a request that succeeded. INFO: a change. WARN: a request that was refused, or what needs your attention soon. ERROR: a request that the server could not answer.",
  requestId:
    "Each request has an id, which correlates all that belongs to it. The response has it in X-Svc-Request-Id, an error as errorId. With it you find the events of the request.",
  importFile:
    "A file as an export writes it, with at most 1 MiB. The page first asks for a dry run, which does everything but store: you see each change and each mistake. Then you decide.",
  withUsers:
    "Profiles and statuses of all users. Without them the file has only the configuration, and no personal data but the logins in rules and tests.",
});
