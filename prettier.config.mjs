export default { printWidth: 120, proseWrap: "never" };
