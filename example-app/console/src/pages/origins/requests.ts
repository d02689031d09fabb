import { answerOf, api, ifMatch } from "../../api/client.js";
import type { TrustedOrigin } from "../../api/types.js";
import type { RecordRequests } from "../../parts/records/kind.js";

export type Body = Pick<TrustedOrigin, "name" | "origin" | "scopes" | "status">;

const one = (id: string) => ({ path: { id } });

export const requests: RecordRequests<TrustedOrigin, Body> = {
  read: (id, signal) => answerOf(api.GET("/api/v1/trustedOrigins/{id}", { params: one(id), signal })),
  create: (body) => api.POST("/api/v1/trustedOrigins", { body }),
  replace: (id, body, seen) =>
    api.PUT("/api/v1/trustedOrigins/{id}", { params: { ...one(id), header: ifMatch(seen) }, body }),
  remove: (id, seen) => api.DELETE("/api/v1/trustedOrigins/{id}", { params: { ...one(id), header: ifMatch(seen) } }),
  activate: (id) => api.POST("/api/v1/trustedOrigins/{id}/lifecycle/activate", { params: one(id) }),
  deactivate: (id) => api.POST("/api/v1/trustedOrigins/{id}/lifecycle/deactivate", { params: one(id) }),
};
