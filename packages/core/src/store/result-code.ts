/**
 * SQLite's own result code of an error that `node:sqlite` threw; undefined for any other error.
 * The upper bytes of an extended code only say more of the same and are left out.
 */
export function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}
