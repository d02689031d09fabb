export type TextRoom = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The English texts of the console by room, as `defineTexts` was given them. The test file needs `@jest-environment node`. */
export function readEnglish(): Readonly<Record<string, TextRoom>> {
  const rooms: Record<string, TextRoom> = {};
  jest.isolateModules(() => {
    jest.doMock("../../console/src/texts/define.js", () => ({
      defineTexts: (name: string, room: TextRoom) => (rooms[name] = room),
    }));
    jest.requireActual("../../console/src/texts/en/index.js");
    jest.requireActual("../../console/src/texts/en/help.js"); // comes later, so it is not in the index
    jest.dontMock("../../console/src/texts/define.js");
  });
  return rooms;
}
