import type { Server } from "node:http";
import { Server as TlsServer } from "node:tls";
import { createServer, type CreateServerOptions } from "etiquette/create-server";
import type { Express } from "express";
import { createRequestId } from "./audit/request-ids.js";
import { observeProtocolErrors, type RequestSinks } from "./audit/request-observer.js";
import type { ApiSettings } from "./model/api-settings.js";

/** All of TLS 1.3, and of TLS 1.2 those that encrypt and authenticate in one step (AEAD), with forward secrecy. */
const CIPHERS = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/** PEM; the key may be in one text with the certificate. */
export type Certificate = Readonly<{ cert: string; key: string }>;

export interface AppServerSettings extends Pick<ApiSettings, "namespace"> {
  readonly trustedProxies: readonly string[];
  /** What clients can hold of one process. */
  readonly connectionLimits: Pick<
    CreateServerOptions,
    "writeTimeout" | "maxConnections" | "maxConnectionsPerIp" | "maxPendingResponses" | "maxRequestsPerSocket"
  >;
}

interface AppServerOptions {
  settings: AppServerSettings;
  sinks: RequestSinks;
  certificate: Certificate | undefined;
}

export function createAppServer(app: Express, { settings, sinks, certificate }: Readonly<AppServerOptions>): Server {
  const { connectionLimits, trustedProxies, namespace } = settings;
  return createServer(app, {
    ...connectionLimits,
    trust: trustedProxies,
    namespace,
    generator: createRequestId,
    log: observeProtocolErrors(sinks),
    ...(certificate && { tls: tlsOptions(certificate) }),
  });
}

export function replaceCertificate(server: Server, certificate: Certificate): void {
  if (server instanceof TlsServer) server.setSecureContext(tlsOptions(certificate));
}

const tlsOptions = ({ cert, key }: Certificate) => ({ cert, key, ciphers: CIPHERS });
