import type { Catalogue } from './catalogue.ts';

// Longer than 400 lines: a catalogue is one list, and a text is looked for by its area.

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
  'execution.bad-error-type': {
    en: 'It ended with failure() of the error_type {found}, which a tool cannot claim; possible are {possible}. It said: {message}',
    zh: '它以 failure() 结束，但 error_type 为 {found}，工具不能使用该类型；可用的有 {possible}。其说明：{message}',
  },
  'execution.failure-without-message': {
    en: 'Its code ended with failure() of {code} without a message.',
    zh: '其代码以 failure() 结束（{code}），但没有说明信息。',
  },
  'execution.parts-not-a-list': {
    en: 'contentParts takes a list of parts; found {found}.',
    zh: 'contentParts 的参数必须是由内容块组成的数组；实际为 {found}。',
  },
  'execution.parts-too-many': {
    en: 'it has {count} content parts; at most {limit} are taken. Return fewer, or join texts.',
    zh: '内容块有 {count} 个，最多 {limit} 个。请减少数量或合并文本。',
  },
  'execution.parts-too-large': {
    en: 'its images and files have {found} characters of base64 in sum; at most {limit} are taken. Shrink or recompress them, or write them to a file and return its path.',
    zh: '图片和文件的 base64 共 {found} 个字符，上限为 {limit}。请缩小或重新压缩，或写入文件后返回其路径。',
  },
  'execution.part-type': {
    en: 'content part {index} is of the type {found}; possible are text, image and file.',
    zh: '第 {index} 个内容块的类型为 {found}；可用的类型为 text、image、file。',
  },
  'execution.part-text': {
    en: 'content part {index} has no `text` that is a string; found {found}.',
    zh: '第 {index} 个内容块缺少字符串 `text`；实际为 {found}。',
  },
  'execution.part-media-type': {
    en: 'content part {index} has the media type {found}; expected is one like {expected}.',
    zh: '第 {index} 个内容块的媒体类型为 {found}；应类似 {expected}。',
  },
  'execution.part-data': {
    en: 'content part {index} has `data` that is neither bytes (Uint8Array, ArrayBuffer) nor text in base64; a `data:` URL is not taken, and it must not be empty.',
    zh: '第 {index} 个内容块的 `data` 既不是字节（Uint8Array、ArrayBuffer），也不是 base64 文本；不接受 `data:` 网址，且不能为空。',
  },
  'execution.part-name': {
    en: 'content part {index} has a `name` that is not a text of 1 to {limit} visible characters.',
    zh: '第 {index} 个内容块的 `name` 不是由 1 到 {limit} 个可见字符组成的文本。',
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
  'execution.question-too-large': {
    en: 'What the code hands to the host ({operation}) exceeds {limitMb} MiB.',
    zh: '代码交给宿主的数据（{operation}）超过 {limitMb} MiB。',
  },
  'execution.session-failed': {
    en: 'The session could not be read or written.',
    zh: '无法读写会话。',
  },

  'execution.answer-too-large': {
    en: 'The answer of {operation} exceeds {limitMb} MiB, the most that can be passed to a tool. Ask for less at a time.',
    zh: '{operation} 的返回内容超过 {limitMb} MiB，无法传给工具。请分多次获取。',
  },
  'execution.ask-failed': {
    en: 'The runtime could not answer; the record of the turn holds the reason.',
    zh: '运行时无法答复；原因见本回合的记录。',
  },
  'execution.context-after-end': {
    en: 'The call has ended; {member} of its context can no longer be used.',
    zh: '调用已结束，不能再使用其上下文的 {member}。',
  },
  'execution.bad-token': {
    en: 'context.use takes a token made by defineToken; found {found}.',
    zh: 'context.use 的参数必须是 defineToken 创建的标识；实际为 {found}。',
  },
  'execution.no-service': {
    en: 'No plugin provides the service "{token}". Add the plugin that provides it, and name the token in the tool’s `uses`, so that its absence is noticed when the project is loaded.',
    zh: '没有插件提供服务“{token}”。请添加提供该服务的插件，并在工具的 `uses` 中写明该标识，以便在加载项目时就发现缺失。',
  },
  'execution.service-not-remote': {
    en: "The service \"{token}\" lives in the process of the host, and its provider offers no methods to tools in other processes. Provide it with `provide(token, value, { remote: ['method'] })`, or run this tool with `isolation: 'inline'`.",
    zh: "服务“{token}”位于宿主进程中，其提供者没有向其他进程的工具开放方法。请用 `provide(token, value, { remote: ['方法名'] })` 提供它，或将该工具设为 `isolation: 'inline'`。",
  },
  'execution.arguments-not-json': {
    en: 'The arguments of {what} hold {found} at {where}, which is not JSON.',
    zh: '{what} 的参数在 {where} 处含有 {found}，不是 JSON。',
  },
  'execution.invoke-name': {
    en: 'context.invoke takes the name of a tool, a string; found {found}.',
    zh: 'context.invoke 的第一个参数必须是工具名（字符串）；实际为 {found}。',
  },
  'execution.invoke-input': {
    en: 'The input that context.invoke passes to "{tool}" must be an object; found {found}.',
    zh: 'context.invoke 传给“{tool}”的输入必须是对象；实际为 {found}。',
  },
  'execution.invoke-failed': {
    en: 'The call of "{tool}" that it made ended as {code}: {reason}',
    zh: '它调用的“{tool}”以 {code} 结束：{reason}',
  },
  'execution.history-limit': {
    en: 'The limit of context.history must be a whole number from 1 to {most}; found {found}.',
    zh: 'context.history 的 limit 必须是 1 到 {most} 的整数；实际为 {found}。',
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
  'execution.not-a-definition': {
    en: 'The default export of {file} is not made by {define} but of type {found}.',
    zh: '{file} 的默认导出不是由 {define} 创建的，而是 {found} 类型的值。',
  },
  'execution.export-a-definition': {
    en: 'Write `export default {define}({ … })`.',
    zh: '请写成 `export default {define}({ … })`。',
  },
  'execution.other-definition': {
    en: 'The default export of {file} is made by {made}, but what stands here must be made by {define}.',
    zh: '{file} 的默认导出由 {made} 创建，而此处的文件必须使用 {define}。',
  },
  'execution.other-definition-hint': {
    en: 'Move what {made} makes to `{place}`, or export `{define}({ … })` here.',
    zh: '请将由 {made} 创建的内容移到 `{place}`，或在此处导出 `{define}({ … })`。',
  },
  'execution.unknown-export': {
    en: '{file} imports {name} from {specifier}, which exports no such name.',
    zh: '{file} 从 {specifier} 导入 {name}，但它没有导出该名称。',
  },
  'execution.unknown-export-hint': {
    en: 'Look up what {specifier} exports in the version that is installed, or install the one that has it.',
    zh: '请查看已安装版本的 {specifier} 导出了哪些名称，或安装含有该名称的版本。',
  },
  'execution.did-you-mean': { en: 'Did you mean {name}?', zh: '是否应为 {name}？' },
  'execution.no-execute': {
    en: 'The tool in {file} has no function execute.',
    zh: '{file} 中的工具没有 execute 函数。',
  },
  'execution.no-execute-hint': {
    en: 'Add `async execute(input, context) { … }`, which does the work.',
    zh: '请添加完成工作的 `async execute(input, context) { … }`。',
  },
  'execution.not-a-function': {
    en: 'The field {field} in {file} must be a function; found: {found}.',
    zh: '{file} 的字段 {field} 必须是函数；实际为：{found}。',
  },
  'execution.not-a-function-hint': {
    en: 'Write `{field}(…) { … }`.',
    zh: '请写成 `{field}(…) { … }`。',
  },
  'execution.not-tokens': {
    en: 'The field {field} in {file} must name services; found: {found}.',
    zh: '{file} 的字段 {field} 必须列出服务；实际为：{found}。',
  },
  'execution.not-tokens-hint': {
    en: 'Write a list of tokens made by defineToken, or of their names: `{field}: [databaseToken]`.',
    zh: '请写成由 defineToken 创建的令牌（或其名称）的列表：`{field}: [databaseToken]`。',
  },
  'execution.no-body': {
    en: 'The skill that {file} adds has no text as body; found: {found}.',
    zh: '{file} 添加的技能没有文本形式的 body；实际为：{found}。',
  },
  'execution.no-body-hint': {
    en: 'Give it `body`, the steps in Markdown.',
    zh: '请为其提供 `body`，即 Markdown 格式的步骤。',
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

  // What is wrong with plugins.
  'execution.added-without-name': {
    en: '{file} adds something of kind {kind} under {found}; a name must be a text of 1 to {limit} characters.',
    zh: '{file} 以 {found} 为名添加了 {kind}；名称必须是 1 到 {limit} 个字符的文本。',
  },
  'execution.added-twice': {
    en: '{file} adds a second {kind} of the name "{name}". Give it another name, or add only one.',
    zh: '{file} 第二次添加了名为“{name}”的 {kind}。请改用其他名称，或只添加一个。',
  },
  'execution.added-too-many': {
    en: '{file} adds more than {limit} capabilities, the most that one plugin may add.',
    zh: '{file} 添加的能力超过 {limit} 个，即单个插件的上限。',
  },
  'execution.added-other': {
    en: '{file} adds {found} as {kind} "{name}"; it must be made by {expected}.',
    zh: '{file} 将 {found} 添加为 {kind}“{name}”；它必须由 {expected} 创建。',
  },
  'execution.not-a-token': {
    en: '{file} provides a service under {found}, which is no token. Make one with defineToken.',
    zh: '{file} 以 {found} 提供服务，但它不是令牌。请用 defineToken 创建令牌。',
  },
  'execution.provided-twice': {
    en: '{file} provides the service "{token}" a second time. Provide each service once.',
    zh: '{file} 第二次提供了服务“{token}”。每个服务只能提供一次。',
  },
  'execution.provided-too-many': {
    en: '{file} provides more than {limit} services, the most that one plugin may provide.',
    zh: '{file} 提供的服务超过 {limit} 个，即单个插件的上限。',
  },
  'execution.remote-list': {
    en: '{file} provides "{token}" with a value of remote that is no list of at most {limit} names of methods.',
    zh: '{file} 提供“{token}”时，remote 不是至多 {limit} 个方法名的列表。',
  },
  'execution.remote-unknown': {
    en: '{file} provides "{token}" with {method} as remote, which is no method of the service.',
    zh: '{file} 提供“{token}”时将 {method} 列入 remote，但它不是该服务的方法。',
  },
  'execution.service-missing': {
    en: 'The plugin {plugin} uses the service "{token}", which nobody has provided before it. Declare it with `uses: [token]` in definePlugin, so that its provider is set up first, and see to it that a plugin provides it. A package that is not listed under trusted: runs in a process of its own and reaches no services of others in its setup.',
    zh: '插件 {plugin} 使用了服务“{token}”，但在它之前没有插件提供该服务。请在 definePlugin 中用 `uses: [token]` 声明（这样提供者会先行设置），并确保有插件提供它。未列入 trusted: 的包在独立进程中运行，其 setup 无法取用其他插件的服务。',
  },
  'execution.no-exit': {
    en: '{name} called process.exit. Plugins, inline tools and configuration files run in the program of others and cannot end it: throw an error instead.',
    zh: '{name} 调用了 process.exit。插件、inline 工具和配置文件运行在别人的程序中，不能结束该程序：请改为抛出错误。',
  },
  'execution.setup-is-over': {
    en: '{file}: {operation} was called after the setup of the plugin {plugin} had ended, and was ignored. Call it while setup runs, and await in setup what it depends on.',
    zh: '{file}：插件 {plugin} 的 setup 结束后调用了 {operation}，该调用已被忽略。请在 setup 运行期间调用，并在 setup 中等待它所依赖的操作。',
  },
  'execution.setup-failed': {
    en: 'The setup of the plugin {plugin} failed at {file}: {reason}',
    zh: '插件 {plugin} 的 setup 在 {file} 处失败：{reason}',
  },
  'execution.setup-timed-out': {
    en: 'The setup of the plugin {plugin} in {file} did not end within {limitMs} ms.',
    zh: '{file} 中插件 {plugin} 的 setup 在 {limitMs} 毫秒内没有结束。',
  },
  'execution.setup-failed-hint': {
    en: 'Correct setup in plugin.ts; what takes long, or may fail without harm, belongs behind the first use.',
    zh: '请修正 plugin.ts 中的 setup；耗时较长或允许失败的操作应推迟到首次使用时进行。',
  },
  'execution.setup-ended-process': {
    en: 'The setup of the plugin {plugin} in {file} ended its process: {reason}',
    zh: '{file} 中插件 {plugin} 的 setup 终止了其进程：{reason}',
  },
  'execution.setup-too-large': {
    en: 'What the setup of the plugin {plugin} in {file} adds exceeds {limitMb} MiB. Keep data out of definitions; load it when it is needed.',
    zh: '{file} 中插件 {plugin} 的 setup 所添加的内容超过 {limitMb} MiB。请不要把数据放进定义中，而在需要时加载。',
  },
  'execution.plugin-config': {
    en: 'The configuration {field} does not fit the plugin {plugin}: {reason}',
    zh: '配置 {field} 不符合插件 {plugin} 的要求：{reason}',
  },
  'execution.plugin-not-set-up': {
    en: 'Its plugin {entry} could not be set up: {reason}',
    zh: '无法设置其所属插件 {entry}：{reason}',
  },
  'execution.member-missing': {
    en: 'The setup of {entry} did not add the tool "{name}" this time.',
    zh: '{entry} 的 setup 这次没有添加工具“{name}”。',
  },
  'execution.dispose-no-function': {
    en: 'onDispose takes a function.',
    zh: 'onDispose 的参数必须是函数。',
  },
  'execution.dispose-failed': {
    en: 'Disposing of the plugin {plugin} failed: {reason}',
    zh: '释放插件 {plugin} 时出错：{reason}',
  },
  'execution.dispose-timed-out': {
    en: 'A function that the plugin {plugin} handed to onDispose did not end within {limitMs} ms; it is not waited for any longer.',
    zh: '插件 {plugin} 传给 onDispose 的函数在 {limitMs} 毫秒内没有结束，不再等待。',
  },
  'execution.question-text': {
    en: 'A question needs a text of 1 to {limit} characters.',
    zh: '提问需要 1 到 {limit} 个字符的文本。',
  },
  'execution.question-options': {
    en: 'The options of a question are 1 to {limit} different texts of 1 to {chars} characters each.',
    zh: '提问的选项须为 1 到 {limit} 个互不相同的文本，每个 1 到 {chars} 个字符。',
  },
  'execution.too-many-questions': {
    en: 'One call may ask at most {limit} questions.',
    zh: '一次调用最多提问 {limit} 次。',
  },
  'execution.question-expired': {
    en: 'Nobody answered the question in time.',
    zh: '提问在限定时间内无人回答。',
  },
  'execution.question-refused': {
    en: 'The question was declined.',
    zh: '对方拒绝回答该提问。',
  },
} as const satisfies Catalogue;
