import { answerOf, api, ifMatch } from "../../api/client.js";
import type { Idp } from "../../api/types.js";
import type { RecordRequests } from "../../parts/records/kind.js";

export type Body = Pick<Idp, "name" | "type" | "protocol" | "status">;

const one = (id: string) => ({ path: { id } });

export const requests: RecordRequests<Idp, Body> = {
  read: (id, signal) => answerOf(api.GET("/api/v1/idps/{id}", { params: one(id), signal })),
  create: (body, query) => api.POST("/api/v1/idps", { params: { query }, body }),
  replace: (id, body, seen, query) =>
    api.PUT("/api/v1/idps/{id}", { params: { ...one(id), query, header: ifMatch(seen) }, body }),
  remove: (id, seen, query) =>
    api.DELETE("/api/v1/idps/{id}", { params: { ...one(id), query, header: ifMatch(seen) } }),
  activate: (id, query) => api.POST("/api/v1/idps/{id}/lifecycle/activate", { params: { ...one(id), query } }),
  deactivate: (id, query) => api.POST("/api/v1/idps/{id}/lifecycle/deactivate", { params: { ...one(id), query } }),
};
