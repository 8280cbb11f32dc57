/** Of a configuration file, of `.env` and of a file that a key refers to. */
export const MAX_CONFIG_FILE_BYTES = 1024 * 1024;
