/** Rules of this repository for oxlint. */
export default {
  meta: { name: "house" },
  rules: {
    /** Reports what a selector matches. Each option is a pair: the selector and the message. */
    "restricted-syntax": {
      meta: { schema: { type: "array" } },
      create(context) {
        const visitors = context.options.map(([selector, message]) => [
          selector,
          (node) => context.report({ node, message }),
        ]);
        return Object.fromEntries(visitors);
      },
    },
  },
};
