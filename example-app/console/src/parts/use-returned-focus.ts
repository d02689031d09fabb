import { createContext, useContext, useEffect, useRef, useState } from "react";

/** Lets the focus go to the title of the page when the panel closes: where it was before is about to vanish. */
export const ForgottenFocusContext = createContext<() => void>(() => undefined);

export function useForgottenFocus(): () => void {
  return useContext(ForgottenFocusContext);
}

/**
 * When the component goes, the focus returns to where it was before, or else to the title of the page.
 *
 * @returns the value of {@link ForgottenFocusContext}
 */
export function useReturnedFocus(): () => void {
  const [before] = useState(() => document.activeElement);
  const isForgotten = useRef(false);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
        (isThere && !isForgotten.current ? before : document.querySelector("h1"))?.focus();
      });
    },
    [before],
  );
  return () => {
    isForgotten.current = true;
  };
}
