export {
  compileCursorCodec,
  type Cursor,
  type CursorCodec,
  type CursorContext,
  type CursorDirection,
  CursorError,
  type CursorErrorReason,
  type CursorKey,
} from "./cursor.js";
