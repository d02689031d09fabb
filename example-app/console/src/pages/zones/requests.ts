import { answerOf, api, ifMatch } from "../../api/client.js";
import type { Zone } from "../../api/types.js";
import type { RecordRequests } from "../../parts/records/kind.js";

export type Body = Pick<Zone, "name" | "gateways" | "proxies" | "status">;

const one = (id: string) => ({ path: { id } });

export const requests: RecordRequests<Zone, Body> = {
  read: (id, signal) => answerOf(api.GET("/api/v1/zones/{id}", { params: one(id), signal })),
  create: (body, query) => api.POST("/api/v1/zones", { params: { query }, body }),
  replace: (id, body, seen, query) =>
    api.PUT("/api/v1/zones/{id}", { params: { ...one(id), query, header: ifMatch(seen) }, body }),
  remove: (id, seen, query) =>
    api.DELETE("/api/v1/zones/{id}", { params: { ...one(id), query, header: ifMatch(seen) } }),
  activate: (id, query) => api.POST("/api/v1/zones/{id}/lifecycle/activate", { params: { ...one(id), query } }),
  deactivate: (id, query) => api.POST("/api/v1/zones/{id}/lifecycle/deactivate", { params: { ...one(id), query } }),
};
