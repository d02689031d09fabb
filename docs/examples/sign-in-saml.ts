import express from "express";
import { SAML, ValidateInResponseTo } from "@node-saml/node-saml";
import { DOMParser } from "@xmldom/xmldom";

const DISCOVERY = "https://acme.example.com";
const ENTITY_ID = "https://app.example.com";
const CALLBACK = "https://app.example.com/saml";

interface Jrd {
  links: { properties: Record<string, string | undefined> }[];
}

const app = express();
const services = new Map<string, SAML>(); // by the id of the provider

async function findService(login: string): Promise<[id: string, service: SAML]> {
  const query = new URLSearchParams({ resource: `acct:${login}`, rel: "svc:idp" });
  const response = await fetch(`${DISCOVERY}/.well-known/webfinger?${query}`);
  const { links } = (await response.json()) as Jrd;
  const { "svc:idp:id": id, "svc:idp:metadata": url } = links[0]?.properties ?? {};
  if (id === undefined || url === undefined) throw new Error(`No SAML provider signs ${login} in.`);
  const known = services.get(id);
  if (known) return [id, known];

  const metadata = new DOMParser().parseFromString(await (await fetch(url)).text(), "text/xml");
  const service = new SAML({
    entryPoint: metadata.getElementsByTagName("md:SingleSignOnService")[0]?.getAttribute("Location") ?? "",
    idpCert: metadata.getElementsByTagName("ds:X509Certificate")[0]?.textContent ?? "",
    issuer: ENTITY_ID,
    audience: ENTITY_ID,
    callbackUrl: CALLBACK,
    validateInResponseTo: ValidateInResponseTo.always,
  });
  services.set(id, service);
  return [id, service];
}

app.get("/login", async (req, res) => {
  const [id, service] = await findService(String(req.query.login));
  res.redirect(await service.getAuthorizeUrlAsync(id, undefined, {}));
});

app.post("/saml", express.urlencoded({ extended: false }), async (req, res) => {
  const service = services.get(req.body.RelayState);
  if (!service) return void res.status(400).send("Begin again.");
  const { profile } = await service.validatePostResponseAsync(req.body);
  res.json({ idp: profile?.issuer, person: profile?.nameID }); // both together are the person
});

app.listen(3000);
