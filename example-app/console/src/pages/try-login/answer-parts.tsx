import { Suspense, type ComponentType } from "react";
import { later } from "../../parts/later.js";
import { Skeletons } from "../../parts/skeletons.js";

/** The parts of an answer, which are loaded with the first question. */
export const loadAnswer = () => import("./answer.js");

type Answer = Awaited<ReturnType<typeof loadAnswer>>;

export const AsOf = ofAnswer((answer) => answer.AsOf);
export const CopyLink = ofAnswer((answer) => answer.CopyLink);
export const Decision = ofAnswer((answer) => answer.Decision);
export const KeepAsTest = ofAnswer((answer) => answer.KeepAsTest);
export const Response = ofAnswer((answer) => answer.Response);
export const Verdict = ofAnswer((answer) => answer.Verdict);

function ofAnswer<P extends object>(choose: (answer: Answer) => ComponentType<P>) {
  const Part = later(async () => choose(await loadAnswer()) as ComponentType<object>);
  return function Later(props: P) {
    return (
      <Suspense fallback={<Skeletons />}>
        <Part {...props} />
      </Suspense>
    );
  };
}
