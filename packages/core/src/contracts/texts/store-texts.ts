import type { Catalogue } from './catalogue.ts';

export const storeTexts = {
  'store.not-a-database': {
    en: '{file} is no SQLite database, so it cannot be the store. It was left as it is; name another file, or move this one away.',
    zh: '{file} 不是 SQLite 数据库，不能用作存储文件。该文件未被改动；请改用别的文件名，或把它移走。',
  },
  'store.damaged': {
    en: 'The store {file} is damaged: parts of it are missing or overwritten. It was left as it is; put a copy back (files {file}.….bak, if there are any), or move it away and begin anew.',
    zh: '存储文件 {file} 已损坏：部分内容缺失或被覆盖。该文件未被改动；请用副本恢复（若有 {file}.….bak 文件），或把它移走后重新开始。',
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
  'store.lease-lost': {
    en: 'The turn {turn} is not this process’s any more: it ended, was parked, or another process took it over.',
    zh: '回合 {turn} 已不属于本进程：它已结束、已挂起，或已由其他进程接手。',
  },
  'store.illegal-transition': {
    en: 'The step {transition} of {id} was refused, and nothing was written: it is possible from {allowed}, and the state is {from}. Read what is stored now and go on from there.',
    zh: '已拒绝 {id} 的步骤 {transition}，没有写入任何内容：该步骤只能从 {allowed} 开始，而当前状态为 {from}。请重新读取已存储的状态后再继续。',
  },
  'store.unknown-turn': {
    en: 'There is no turn {turn} in the store; nothing was written.',
    zh: '存储中没有回合 {turn}，没有写入任何内容。',
  },
  'store.turn-exists': {
    en: 'Turn {turn} is in the store already; nothing was written.',
    zh: '回合 {turn} 已在存储中，没有写入任何内容。',
  },
  'store.folder-is-file': {
    en: 'The store {file} cannot be opened: {folder} is a file, not a folder. Move that file away, or name another folder for the state.',
    zh: '无法打开存储文件 {file}：{folder} 是一个文件，而不是目录。请移走该文件，或为状态数据另选目录。',
  },
  'store.folder-dangling-link': {
    en: 'The store {file} cannot be opened: {folder} is a link to {target}, which does not exist. Make that folder, remove the link, or name another folder for the state.',
    zh: '无法打开存储文件 {file}：{folder} 是指向 {target} 的链接，但目标不存在。请创建目标目录、删除该链接，或为状态数据另选目录。',
  },
  'store.folder-unwritable': {
    en: 'The store {file} cannot be opened: this process may not write to the folder {folder} ({reason}). Give its user write access to the folder, or name another folder for the state.',
    zh: '无法打开存储文件 {file}：当前进程无权写入目录 {folder}（{reason}）。请给予运行用户该目录的写权限，或为状态数据另选目录。',
  },
  'store.folder-not-made': {
    en: 'The store {file} cannot be opened: the folder {folder} does not exist and could not be made ({reason}). Make it by hand, writable for the user of this process, or name another folder for the state.',
    zh: '无法打开存储文件 {file}：目录 {folder} 不存在，也无法创建（{reason}）。请手动创建该目录并让运行用户可写，或为状态数据另选目录。',
  },
  'store.copy-failed': {
    en: 'The store {file} must be brought from version {from} to {to}, but the copy that is made first could not be written to {copy}: {reason}. The store was left as it was; free at least {bytes} bytes on that disk, check that the folder can be written to, then start again.',
    zh: '存储文件 {file} 需要从版本 {from} 升级到 {to}，但升级前的备份无法写入 {copy}：{reason}。存储文件未被改动；请在该磁盘上腾出至少 {bytes} 字节，确认目录可写，然后重新启动。',
  },
  'store.migration-failed': {
    en: 'The store {file} could not be brought from version {from} to {to}: {reason}. It was left as it was, and {copy} is a copy of it; go on with the version of Baigong that you had, or see to the reason, then start again.',
    zh: '存储文件 {file} 无法从版本 {from} 升级到 {to}：{reason}。存储文件未被改动，{copy} 是它的备份；请继续使用原来的百工版本，或排除上述原因后重新启动。',
  },
  'store.value-too-large': {
    en: 'The value "{key}" was not kept: it has {found} bytes as JSON, and a session keeps at most {limit} bytes in one value. The session is as it was; store less, or split the value over several keys.',
    zh: '未保存值“{key}”：其 JSON 长度为 {found} 字节，而会话中单个值最多 {limit} 字节。会话数据未被改动；请减少内容，或拆分到多个键。',
  },
  'store.session-full': {
    en: 'The value "{key}" was not kept: with it the session would hold {found} bytes of keys and values, and at most {limit} are allowed. The session is as it was; delete values that are no longer needed, then try again.',
    zh: '未保存值“{key}”：保存后会话的键和值共 {found} 字节，超过上限 {limit} 字节。会话数据未被改动；请删除不再需要的值后重试。',
  },
  'store.too-many-values': {
    en: 'The value "{key}" was not kept: the session holds {limit} keys already, which is the most that is allowed. The session is as it was; delete keys that are no longer needed, then try again.',
    zh: '未保存值“{key}”：会话已有 {limit} 个键，达到上限。会话数据未被改动；请删除不再需要的键后重试。',
  },
} as const satisfies Catalogue;
