import type { Catalogue } from './catalogue.ts';

export const executionTexts = {
  // How calls end. Dispatch puts the tool's name in front.
  'execution.timed-out': {
    en: 'It did not end within its time limit of {limitMs} ms.',
    zh: '在 {limitMs} 毫秒的时间限制内没有结束。',
  },
  'execution.load-timed-out': {
    en: 'Its code could not be loaded within {limitMs} ms.',
    zh: '其代码无法在 {limitMs} 毫秒内加载完成。',
  },
  'execution.never-began': {
    en: 'It gave no sign of having begun within {limitMs} ms: loading its code took too long, or its process was blocked, probably by an earlier call.',
    zh: '在 {limitMs} 毫秒内没有开始运行的迹象：其代码加载过慢，或其进程被阻塞（很可能由之前的调用引起）。',
  },
  'execution.cancelled': { en: 'It was cancelled.', zh: '已被取消。' },
  'execution.unknown-code': {
    en: 'The code that the tool refers to is not loaded.',
    zh: '该工具引用的代码没有加载。',
  },
  'execution.not-loaded': {
    en: 'Its file {file} could not be loaded: {reason}',
    zh: '无法加载其文件 {file}：{reason}',
  },
  'execution.no-tool-exported': {
    en: 'it does not export a tool as default.',
    zh: '该文件没有默认导出工具。',
  },
  'execution.threw-without-message': {
    en: 'Its code threw {value} without a message.',
    zh: '其代码抛出了没有说明信息的 {value}。',
  },
  'execution.uncaught': {
    en: 'An error that no code caught ended the process of the tool; it may stem from an earlier call: {reason}',
    zh: '未被捕获的错误终止了该工具所在的进程（也可能由之前的调用引起）：{reason}',
  },
  'execution.input-too-large': {
    en: 'The arguments exceed {limitMb} MiB, the most that can be passed to a tool.',
    zh: '参数超过 {limitMb} MiB，无法传给工具。',
  },
  'execution.not-sendable': {
    en: 'The call could not be passed to the process of the tool, because its arguments or its configuration are not JSON: {reason}',
    zh: '无法将此次调用传给该工具的进程，因为其参数或配置不是 JSON：{reason}',
  },
  'execution.result-too-large': {
    en: 'it exceeds {limitMb} MiB, the most that a tool can return.',
    zh: '超过 {limitMb} MiB，即工具返回值的上限。',
  },
  'execution.result-not-json': {
    en: '{found} at {where} is not JSON.',
    zh: '{where} 处的 {found} 不是 JSON。',
  },
  'execution.iterator-step': {
    en: 'The async iterator that its code returned gave {found} where an object with value and done is due.',
    zh: '其代码返回的异步迭代器给出了 {found}，而应为含有 value 和 done 的对象。',
  },
  'execution.top': { en: 'its top level', zh: '最外层' },
  'execution.found-type': { en: '{type}', zh: '{type}' },
  'execution.found-cycle': { en: 'a value that contains itself', zh: '包含自身的值' },
  'execution.found-too-deep': {
    en: 'nesting beyond {limit} levels',
    zh: '超过 {limit} 层的嵌套',
  },
  'execution.found-unreadable': { en: 'a member that cannot be read', zh: '无法读取的成员' },

  // What authors meet when they use the context wrongly.
  'execution.session-after-end': {
    en: 'The call has ended; its session can no longer be used.',
    zh: '调用已结束，不能再使用其会话。',
  },
  'execution.session-key': {
    en: 'A session key must be a string of at most {limit} characters.',
    zh: '会话键必须是不超过 {limit} 个字符的字符串。',
  },
  'execution.session-not-json': {
    en: 'The value for the session key "{key}" holds {found} at {where}, which is not JSON.',
    zh: '会话键“{key}”的值在 {where} 处含有 {found}，不是 JSON。',
  },
  'execution.session-too-large': {
    en: 'The session value is too large to be passed to a tool.',
    zh: '会话中的值过大，无法传给工具。',
  },
  'execution.session-failed': {
    en: 'The session could not be read or written.',
    zh: '无法读写会话。',
  },

  // How child processes end.
  'execution.process-not-started': {
    en: 'The process for the tool could not be started.',
    zh: '无法启动该工具的进程。',
  },
  'execution.process-shortage': {
    en: 'The process for the tool could not be started: the system has no more files, processes or memory to give at the moment ({code}).',
    zh: '无法启动该工具的进程：系统目前没有可用的文件句柄、进程或内存（{code}）。',
  },
  'execution.maybe-earlier': {
    en: '{what} An earlier call in the same process may be the cause.',
    zh: '{what}也可能由同一进程中之前的调用引起。',
  },
  'execution.describer-not-started': {
    en: 'The process that loads {folder} could not be started: {reason}',
    zh: '无法启动加载 {folder} 的进程：{reason}',
  },
  'execution.process-exited': {
    en: 'The process in which it ran ended with exit code {code}; its code may have called process.exit.',
    zh: '运行它的进程以退出码 {code} 结束；其代码可能调用了 process.exit。',
  },
  'execution.process-killed': {
    en: 'The process in which it ran was ended by the signal {signal}.',
    zh: '运行它的进程被信号 {signal} 终止。',
  },
  'execution.out-of-memory': {
    en: 'It used up the {limitMb} MiB of memory that a tool process may use, and was ended.',
    zh: '它用尽了工具进程可用的 {limitMb} MiB 内存，已被终止。',
  },
  'execution.pipe-misused': {
    en: 'Its process was ended: it wrote on the pipe that only the runtime may use.',
    zh: '其进程已被终止：它写入了只有运行时才能使用的管道。',
  },
  'execution.output-cut': {
    en: '[cut: only the first {bytes} bytes of output are kept]',
    zh: '[已截断：只保留前 {bytes} 字节的输出]',
  },

  // What is wrong with tool files.
  'execution.syntax-error': { en: '{file} does not parse: {reason}', zh: '{file} 无法解析：{reason}' },
  'execution.load-error': { en: '{file} failed while it was loaded: {reason}', zh: '加载 {file} 时出错：{reason}' },
  'execution.load-error-hint': {
    en: 'Correct what runs when the file is imported, or move it into execute.',
    zh: '请修正导入该文件时运行的代码，或将其移入 execute。',
  },
  'execution.package-missing': {
    en: '{file} imports the package "{specifier}", which is not installed.',
    zh: '{file} 导入的软件包“{specifier}”没有安装。',
  },
  'execution.package-missing-hint': {
    en: 'Run `npm install {package}` in the project, or correct the import.',
    zh: '请在项目中运行 `npm install {package}`，或改正该导入。',
  },
  'execution.package-failed': {
    en: '{file} imports "{specifier}", which failed while it was loaded: {reason}',
    zh: '{file} 导入的“{specifier}”在加载时出错：{reason}',
  },
  'execution.load-blocked': {
    en: '{file} was not loaded within {limitMs} ms; its top-level code blocks or never ends.',
    zh: '{file} 在 {limitMs} 毫秒内没有加载完成；其顶层代码阻塞或不会结束。',
  },
  'execution.load-exited': {
    en: 'Loading {file} ended its process with exit code {code}; its top-level code may call process.exit.',
    zh: '加载 {file} 时进程以退出码 {code} 结束；其顶层代码可能调用了 process.exit。',
  },
  'execution.load-killed': {
    en: 'The process that loaded {file} was ended by the signal {signal}.',
    zh: '加载 {file} 的进程被信号 {signal} 终止。',
  },
  'execution.load-out-of-memory': {
    en: 'Loading {file} used up the {limitMb} MiB of memory that a tool process may use.',
    zh: '加载 {file} 用尽了工具进程可用的 {limitMb} MiB 内存。',
  },
  'execution.load-misused-pipe': {
    en: 'While it was loaded, {file} wrote on the pipe that only the runtime may use.',
    zh: '{file} 在加载时写入了只有运行时才能使用的管道。',
  },
  'execution.load-out-of-time': {
    en: '{file} was not loaded: the files before it took up the {limitMs} ms that loading a folder may take.',
    zh: '{file} 没有加载：它之前的文件已用尽加载文件夹所允许的 {limitMs} 毫秒。',
  },
  'execution.load-out-of-time-hint': {
    en: 'Make the files before it load faster.',
    zh: '请让它之前的文件加载得更快。',
  },
  'execution.declaration-too-large': {
    en: 'What the tool in {file} declares exceeds {limitMb} MiB.',
    zh: '{file} 中工具的声明超过 {limitMb} MiB。',
  },
  'execution.declaration-too-large-hint': {
    en: 'Keep data out of the definition; load it in execute.',
    zh: '不要把数据放进定义中，请在 execute 里加载。',
  },
  'execution.no-default-export': {
    en: '{file} has no default export.',
    zh: '{file} 没有默认导出。',
  },
  'execution.not-a-tool': {
    en: 'The default export of {file} is not a tool but of type {found}.',
    zh: '{file} 的默认导出不是工具，而是 {found} 类型的值。',
  },
  'execution.export-a-tool': {
    en: 'Write `export default defineAgentTool({ … })`.',
    zh: '请写成 `export default defineAgentTool({ … })`。',
  },
  'execution.no-execute': {
    en: 'The tool in {file} has no function execute.',
    zh: '{file} 中的工具没有 execute 函数。',
  },
  'execution.no-execute-hint': {
    en: 'Add `async execute(input, context) { … }`, which does the work.',
    zh: '请添加完成工作的 `async execute(input, context) { … }`。',
  },
  'execution.field-not-json': {
    en: 'The field {field} in {file} holds {found}, which is not JSON.',
    zh: '{file} 的字段 {field} 含有 {found}，不是 JSON。',
  },
  'execution.field-not-json-hint': {
    en: 'Use plain data: strings, finite numbers, booleans, null, arrays and objects.',
    zh: '请使用纯数据：字符串、有限数字、布尔值、null、数组和对象。',
  },
  'execution.schema-too-old': {
    en: 'The schema {field} in {file}, made by {found}, cannot say itself in JSON Schema.',
    zh: '{file} 的 {field} 由 {found} 创建，无法转换为 JSON Schema。',
  },
  'execution.schema-too-old-hint': {
    en: 'Use Zod 4.2 or later (npm install zod@4), or write the JSON Schema by hand.',
    zh: '请使用 Zod 4.2 或更高版本（npm install zod@4），或直接写 JSON Schema。',
  },
  'execution.schema-not-representable': {
    en: 'The schema {field} in {file} has a part that JSON Schema cannot express: {reason}',
    zh: '{file} 的 {field} 中有 JSON Schema 无法表达的部分：{reason}',
  },
  'execution.schema-not-representable-hint': {
    en: 'Use types that JSON has: for dates z.iso.datetime() or z.iso.date(), for big integers z.string(), no transforms in the output schema.',
    zh: '请使用 JSON 有的类型：日期用 z.iso.datetime() 或 z.iso.date()，大整数用 z.string()，输出模式中不要使用 transform。',
  },
} as const satisfies Catalogue;
