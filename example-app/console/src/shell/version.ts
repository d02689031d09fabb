declare const PRODUCT_VERSION: string;

/** The version of the server that the console was built with. */
export const VERSION = PRODUCT_VERSION;
