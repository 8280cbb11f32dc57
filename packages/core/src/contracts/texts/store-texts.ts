import type { Catalogue } from './catalogue.ts';

export const storeTexts = {
  'store.not-a-database': {
    en: '{file} is no SQLite database, so it cannot be the store. It was left as it is; name another file, or move this one away.',
    zh: '{file} 不是 SQLite 数据库，不能用作存储文件。该文件未被改动；请改用别的文件名，或把它移走。',
  },
  'store.foreign-database': {
    en: '{file} is the database of another program, so it cannot be the store. It was left as it is; name another file, or move this one away.',
    zh: '{file} 是其他程序的数据库，不能用作存储文件。该文件未被改动；请改用别的文件名，或把它移走。',
  },
  'store.too-new': {
    en: '{file} was written by a newer Baigong (store version {found}; this one knows up to {known}). It was left as it is; update Baigong, or name another file.',
    zh: '{file} 由更新版本的百工写成（存储版本 {found}，当前程序最高支持 {known}）。该文件未被改动；请升级百工，或改用别的文件名。',
  },
  'store.cannot-open': {
    en: 'The store {file} cannot be opened: {reason}. Check that the folder exists or can be created, and that it can be written to.',
    zh: '无法打开存储文件 {file}：{reason}。请检查所在目录是否存在（或可创建）并且可写。',
  },
  'store.failed': {
    en: 'The store {file} did not take or give data: {reason}. Nothing of this step was kept; check the disk and who else uses the file, then try again.',
    zh: '存储文件 {file} 读写失败：{reason}。这一步的数据都没有保存；请检查磁盘以及是否有其他程序占用该文件，然后重试。',
  },
  'store.closed': {
    en: 'The store is closed; nothing was written.',
    zh: '存储已关闭，没有写入任何内容。',
  },
  'store.unknown-turn': {
    en: 'There is no turn {turn} in the store; nothing was written.',
    zh: '存储中没有回合 {turn}，没有写入任何内容。',
  },
  'store.turn-exists': {
    en: 'Turn {turn} is in the store already; nothing was written.',
    zh: '回合 {turn} 已在存储中，没有写入任何内容。',
  },
  'store.turn-ended': {
    en: 'Turn {turn} has ended already; nothing was written.',
    zh: '回合 {turn} 已经结束，没有写入任何内容。',
  },
} as const satisfies Catalogue;
