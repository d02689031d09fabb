import { answerOf, api, ifMatch } from "../../api/client.js";
import type { Idp } from "../../api/types.js";
import type { RecordRequests } from "../../parts/records/kind.js";

export type Body = Pick<Idp, "name" | "type" | "protocol">;

const one = (id: string) => ({ path: { id } });

export const requests: RecordRequests<Idp, Body> = {
  read: (id, signal) => answerOf(api.GET("/api/v1/idps/{id}", { params: one(id), signal })),
  create: (body) => api.POST("/api/v1/idps", { body }),
  replace: (id, body, seen) => api.PUT("/api/v1/idps/{id}", { params: { ...one(id), header: ifMatch(seen) }, body }),
  remove: (id, seen) => api.DELETE("/api/v1/idps/{id}", { params: { ...one(id), header: ifMatch(seen) } }),
  activate: (id) => api.POST("/api/v1/idps/{id}/lifecycle/activate", { params: one(id) }),
  deactivate: (id) => api.POST("/api/v1/idps/{id}/lifecycle/deactivate", { params: one(id) }),
};
