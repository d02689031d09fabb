import theme from "vitepress/theme";
import "./style.css";

export default {
  extends: theme,
  enhanceApp({ router }) {
    if (!import.meta.env.SSR) router.onAfterRouteChange = () => requestAnimationFrame(mark);
  },
};

/** Marks what the address names, because a change of page in the browser leaves `:target` as it was. */
function mark() {
  for (const marked of document.querySelectorAll(".found")) marked.classList.remove("found");
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.classList.add("found");
}
