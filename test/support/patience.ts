/** How long a test waits, in milliseconds, for what takes at most so long on a machine of normal speed; longer in CI. */
export const patient = (milliseconds: number): number => milliseconds * Number(process.env["PATIENCE"]);
