import type { Catalogue } from './catalogue.ts';

export const registryTexts = {
  'registry.did-you-mean': { en: 'Did you mean {name}?', zh: '是否想写 {name}？' },

  'registry.unreadable-file': { en: '{file} cannot be read: {reason}.', zh: '无法读取 {file}：{reason}。' },
  'registry.unreadable-file-hint': {
    en: 'It must be a regular file (no folder, pipe or broken link) that the user of this program may read.',
    zh: '它必须是普通文件（不能是文件夹、管道或失效的链接），并且运行本程序的用户有读取权限。',
  },
  'registry.entry-leaves-root': {
    en: '{file} is a link that leads out of the project.',
    zh: '{file} 是指向项目之外的链接。',
  },
  'registry.file-too-large': {
    en: '{file} has {size} bytes; a source file may have {limit} at most.',
    zh: '{file} 有 {size} 字节，而源文件最多 {limit} 字节。',
  },
  'registry.file-too-large-hint': {
    en: 'Read large data with node:fs when the tool runs, or split the file.',
    zh: '请在工具运行时用 node:fs 读取大块数据，或拆分该文件。',
  },
  'registry.invalid-package': {
    en: '{file} cannot be read as JSON, so the packages of the files below it cannot be found: {reason}',
    zh: '{file} 无法作为 JSON 读取，因此无法找到该文件夹中代码所用的包：{reason}',
  },
  'registry.invalid-package-hint': {
    en: 'Correct the file; it must be a regular file that holds a JSON object.',
    zh: '请更正该文件；它必须是内容为 JSON 对象的普通文件。',
  },

  'registry.syntax-error': { en: '{file} cannot be compiled: {reason}', zh: '{file} 无法编译：{reason}' },
  'registry.top-level-await': {
    en: '{file} uses await outside of a function, which files of a plugin cannot.',
    zh: '{file} 在函数之外使用了 await，插件文件不支持这种写法。',
  },
  'registry.top-level-await-hint': {
    en: 'Move the await into execute, or into an async function that execute calls.',
    zh: '请把 await 移到 execute 中，或移到由 execute 调用的 async 函数中。',
  },
  'registry.import-meta': {
    en: '{file} uses a part of import.meta that is undefined in files of a plugin.',
    zh: '{file} 使用了 import.meta 中在插件文件里未定义的部分。',
  },
  'registry.unresolved-import': {
    en: '{file} imports {specifier}, which does not exist.',
    zh: '{file} 导入了 {specifier}，但该文件不存在。',
  },
  'registry.unresolved-import-hint': {
    en: 'Correct the path; it counts from the folder of the importing file.',
    zh: '请更正路径；相对路径从导入它的文件所在的文件夹算起。',
  },
  'registry.import-leaves-root': {
    en: '{file} imports {specifier}, which lies outside the project.',
    zh: '{file} 导入了 {specifier}，但它位于项目之外。',
  },
  'registry.import-leaves-root-hint': {
    en: 'Move the file into the project, or install it as a package and import that.',
    zh: '请把该文件移到项目内，或把它装成一个包再导入。',
  },
  'registry.unsupported-import': {
    en: '{file} imports {specifier}, which is no source file.',
    zh: '{file} 导入了 {specifier}，但它不是源文件。',
  },
  'registry.unsupported-import-hint': {
    en: 'Read other files with node:fs, at a path that begins with import.meta.dirname.',
    zh: '其他文件请用 node:fs 读取，路径以 import.meta.dirname 开头。',
  },
  'registry.unreadable-import': {
    en: '{file} imports {specifier}, which cannot be read: {reason}.',
    zh: '{file} 导入了 {specifier}，但无法读取：{reason}。',
  },
  'registry.unknown-export': {
    en: '{file} imports {name} from {target}, which does not export it.',
    zh: '{file} 从 {target} 导入了 {name}，但后者没有导出它。',
  },
  'registry.unknown-export-hint': {
    en: 'Export it in {target}, or correct the name; a type is imported with "import type".',
    zh: '请在 {target} 中导出它，或更正名称；类型请用 "import type" 导入。',
  },
  'registry.not-described': {
    en: '{file} was loaded, but nothing was said of what it declares.',
    zh: '{file} 已加载，但没有得到它所声明的内容。',
  },

  'registry.not-a-tool': {
    en: '{tool} was given as a tool, but was not made by defineAgentTool.',
    zh: '{tool} 被当作工具传入，但它不是由 defineAgentTool 创建的。',
  },
  'registry.not-a-tool-hint': {
    en: 'Wrap the definition in defineAgentTool({ … }).',
    zh: '请用 defineAgentTool({ … }) 包裹该定义。',
  },
  'registry.not-json': {
    en: '{tool}: the field {field} holds {found}, which is no JSON value.',
    zh: '{tool}：字段 {field} 的值为 {found}，不是 JSON 值。',
  },
  'registry.not-json-hint': {
    en: 'Use texts, numbers, true, false, null, lists and plain objects.',
    zh: '请使用字符串、数字、true、false、null、数组和普通对象。',
  },
  'registry.old-zod': {
    en: '{tool}: the schema in {field} ({found}) cannot describe itself as JSON Schema.',
    zh: '{tool}：{field} 中的 schema（{found}）无法转换为 JSON Schema。',
  },
  'registry.old-zod-hint': {
    en: 'Update the schema library (zod to 4.2 or later), or write JSON Schema.',
    zh: '请升级 schema 库（zod 需 4.2 或更高版本），或直接写 JSON Schema。',
  },
  'registry.not-representable': {
    en: '{tool}: the schema in {field} cannot be expressed as JSON Schema: {found}',
    zh: '{tool}：{field} 中的 schema 无法用 JSON Schema 表达：{found}',
  },
  'registry.not-representable-hint': {
    en: 'Use types that JSON has; a date, for instance, is a string: z.iso.datetime().',
    zh: '请使用 JSON 具有的类型；例如日期应写成字符串：z.iso.datetime()。',
  },
  'registry.no-execute': {
    en: '{tool}: execute must be a function; found was {found}.',
    zh: '{tool}：execute 必须是函数，实际为 {found}。',
  },
  'registry.not-a-function': {
    en: '{tool}: {field} must be a function; found was {found}.',
    zh: '{tool}：{field} 必须是函数，实际为 {found}。',
  },
  'registry.not-a-function-hint': { en: 'Write a function there.', zh: '请在该处写一个函数。' },
  'registry.not-tokens': {
    en: '{tool}: {field} must list services; found was {found}.',
    zh: '{tool}：{field} 必须是服务列表，实际为 {found}。',
  },
  'registry.not-tokens-hint': {
    en: 'List tokens made by defineToken, or their names.',
    zh: '请列出由 defineToken 创建的 token 或其名称。',
  },
  'registry.no-body': { en: '{tool}: the skill has no body.', zh: '{tool}：该 Skill 没有正文。' },
  'registry.no-body-hint': { en: 'Add body: the steps, in Markdown.', zh: '请添加 body：用 Markdown 写出步骤。' },
  'registry.no-execute-hint': {
    en: 'Add async execute(input, context) { … }.',
    zh: '请添加 async execute(input, context) { … }。',
  },

  'registry.invalid-name': {
    en: 'The name {tool} cannot be the name of a tool: models accept 1 to 64 letters, digits, _ and - only.',
    zh: '{tool} 不能作为工具名：模型只接受 1 到 64 个英文字母、数字、_ 和 -。',
  },
  'registry.invalid-name-hint': {
    en: 'Rename the folder (or the key); what the tool does in your language belongs in its description.',
    zh: '请重命名文件夹（或键名）；用中文说明用途请写在 description 中。',
  },
  'registry.reserved-name': {
    en: 'The name {tool} belongs to the framework.',
    zh: '{tool} 是框架保留的名称。',
  },
  'registry.reserved-name-hint': { en: 'Choose another name.', zh: '请换一个名称。' },
  'registry.duplicate-name': {
    en: 'The name {tool} was given more than once: {places}.',
    zh: '名称 {tool} 被重复使用：{places}。',
  },
  'registry.duplicate-name-hint': { en: 'Rename all but one of them.', zh: '请只保留其中一个，重命名其余的。' },
  'registry.similar-name': {
    en: 'These names differ in case only, so models will mix them up: {names}.',
    zh: '这些名称仅大小写不同，模型容易混淆：{names}。',
  },
  'registry.similar-name-hint': { en: 'Give them names that differ clearly.', zh: '请使用差别明显的名称。' },

  'registry.missing-field': {
    en: '{tool}: the required field {field} is missing.',
    zh: '{tool}：缺少必填字段 {field}。',
  },
  'registry.missing-field-hint': {
    en: 'Say for the model what the tool does and when to use it.',
    zh: '请向模型说明该工具做什么、何时使用。',
  },
  'registry.missing-skill-description-hint': {
    en: 'Say for the model what the skill is for and when to load it.',
    zh: '请向模型说明该 Skill 的用途以及何时加载。',
  },
  'registry.unknown-field': {
    en: '{tool}: there is no field {field}.',
    zh: '{tool}：不存在字段 {field}。',
  },
  'registry.unknown-field-hint': { en: 'Remove it. Known fields: {fields}.', zh: '请删除它。可用字段：{fields}。' },
  'registry.name-field-hint': {
    en: 'Remove it: the name of a tool is the name of its folder.',
    zh: '请删除它：工具的名称就是其文件夹的名称。',
  },
  'registry.invalid-field': {
    en: '{tool}: the field {field} holds {found}; expected is {expected}.',
    zh: '{tool}：字段 {field} 的值为 {found}，应为 {expected}。',
  },
  'registry.invalid-schema': {
    en: '{tool}: {field} is no valid JSON Schema: found {found}, expected {expected}.',
    zh: '{tool}：{field} 不是合法的 JSON Schema：实际为 {found}，应为 {expected}。',
  },
  'registry.invalid-schema-hint': {
    en: 'Write JSON Schema 2020-12 (or draft-07, named in $schema) whose references stay inside the schema.',
    zh: '请使用 JSON Schema 2020-12（或在 $schema 中注明 draft-07），且引用不得指向 schema 之外。',
  },
  'registry.endless-schema': {
    en: '{tool}: the reference {found} at {field} leads back to itself for the same value, so a check would never end.',
    zh: '{tool}：{field} 处的引用 {found} 对同一个值又指回自身，校验永远不会结束。',
  },
  'registry.endless-schema-hint': {
    en: 'Remove the reference, or let it stand below properties or items, where it is about a part of the value.',
    zh: '请删除该引用，或把它放到 properties 或 items 之下，使其只涉及值的一部分。',
  },
  'registry.contradiction': {
    en: '{tool}: its annotations say both that it only reads and that it destroys.',
    zh: '{tool}：annotations 同时声明了只读和具有破坏性。',
  },
  'registry.contradiction-hint': { en: 'Remove the hint that is wrong.', zh: '请删除不正确的那一项。' },
  'registry.no-effect-yet': {
    en: '{tool}: the field {field} has no effect in this version.',
    zh: '{tool}：字段 {field} 在当前版本中不起作用。',
  },
  'registry.no-effect-yet-hint': {
    en: 'Do not rely on it. You may leave it for a later version.',
    zh: '请不要依赖它；可以保留，供后续版本使用。',
  },
  'registry.sandbox-unavailable': {
    en: '{tool} asks for a sandbox, which this version does not have. It is refused rather than run without one.',
    zh: '{tool} 要求在沙箱中运行，而当前版本没有沙箱。为安全起见拒绝加载，而不是在没有沙箱时运行。',
  },
  'registry.sandbox-unavailable-hint': {
    en: 'If you trust the code, write isolation: "process"; else remove the tool.',
    zh: '如果信任这段代码，请写 isolation: "process"；否则请移除该工具。',
  },
  'registry.isolation-unavailable': {
    en: '{tool} asks for a process of its own, but only exists as an object in this one.',
    zh: '{tool} 要求在独立进程中运行，但它只是当前进程中的一个对象。',
  },
  'registry.isolation-unavailable-hint': {
    en: 'Put it into a file, tools/<name>/index.ts, or remove isolation.',
    zh: '请把它写成文件 tools/<名称>/index.ts，或删除 isolation。',
  },
  'registry.unknown-permission': {
    en: '{tool}: the permission rule {rule} cannot be read, so nobody would be admitted.',
    zh: '{tool}：无法识别权限规则 {rule}，任何人都不会被放行。',
  },
  'registry.unknown-permission-hint': {
    en: 'Write role(user), role(trusted) or role(master); several names in one pair of brackets mean "or".',
    zh: '请写 role(user)、role(trusted) 或 role(master)；同一括号内用逗号分隔表示“满足其一”。',
  },
  'registry.untrusted-inline': {
    en: '{tool} wants to run inside the process of the host, but {plugin} is a package that is not trusted.',
    zh: '{tool} 要求在宿主进程内运行，但 {plugin} 是未受信任的包。',
  },
  'registry.untrusted-inline-hint': {
    en: 'If you trust its code with everything that this program may do, list {plugin} under trusted: in the configuration; else remove isolation: "inline".',
    zh: '如果你信任该包的代码可以做本程序能做的一切，请在配置的 trusted: 中列出 {plugin}；否则请删除 isolation: "inline"。',
  },
  'registry.unknown-reference': {
    en: '{tool}: {field} names {name}, which does not exist.',
    zh: '{tool}：{field} 引用了 {name}，但它不存在。',
  },
  'registry.unknown-reference-hint': {
    en: 'Correct the name, or add what is missing. Names are looked for from here outward: private ones, this plugin, its parents, the root.',
    zh: '请更正名称，或补上缺少的能力。名称由内向外查找：私有、本插件、上级插件、根插件。',
  },
  'registry.dependency-cycle': {
    en: 'These depend on one another in a circle, so none of them can come first: {names}.',
    zh: '以下能力循环依赖，无法确定先后：{names}。',
  },
  'registry.dependency-cycle-hint': {
    en: 'Remove one of the entries in dependsOn.',
    zh: '请删除其中一条 dependsOn。',
  },
  'registry.plugin-cycle': {
    en: "These plugins use one another's services in a circle, so none can be set up first: {names}.",
    zh: '这些插件互相使用对方的服务，形成循环，无法确定先初始化哪一个：{names}。',
  },
  'registry.plugin-cycle-hint': {
    en: 'Let one of them use the service later, by context.use in a tool, instead of declaring it in uses of definePlugin.',
    zh: '请让其中一个在工具中通过 context.use 取用服务，而不是在 definePlugin 的 uses 中声明。',
  },
  'registry.invalid-plugin-config': {
    en: 'The configuration of the plugin {plugin} does not fit: {field} holds {found}; expected is {expected}.',
    zh: '插件 {plugin} 的配置不符合要求：{field} 的值为 {found}，应为 {expected}。',
  },
  'registry.plugin-config-hint': {
    en: "Correct it in the configuration; the plugin's own schema stands in {file}.",
    zh: '请在配置中更正；该插件的 schema 位于 {file}。',
  },
  'registry.duplicate-plugin-name': {
    en: 'Several plugins call themselves {name}: {places}.',
    zh: '有多个插件都叫 {name}：{places}。',
  },
  'registry.duplicate-plugin-name-hint': {
    en: 'Give each definePlugin a name of its own.',
    zh: '请为每个 definePlugin 取不同的 name。',
  },
  'registry.unknown-trusted': {
    en: '{name} is listed under trusted:, but no such package is loaded.',
    zh: 'trusted: 中列出了 {name}，但没有加载这样的包。',
  },
  'registry.unknown-trusted-hint': {
    en: 'Correct the name, list the package under plugins:, or remove it from trusted:.',
    zh: '请更正名称，或在 plugins: 中加入该包，或将其从 trusted: 中删除。',
  },
  'registry.unknown-service': {
    en: '{tool} uses the service {token}, which no plugin provides.',
    zh: '{tool} 使用了服务 {token}，但没有任何插件提供它。',
  },
  'registry.unknown-service-hint': {
    en: 'Let a plugin provide it: context.provide(defineToken({token}), …) in the setup of its plugin.ts; or remove it from uses.',
    zh: '请由某个插件提供：在其 plugin.ts 的 setup 中调用 context.provide(defineToken({token}), …)；或从 uses 中删除。',
  },
  'registry.duplicate-service': {
    en: 'The service {token} is provided more than once: {places}.',
    zh: '服务 {token} 被重复提供：{places}。',
  },
  'registry.duplicate-service-hint': {
    en: 'Let one plugin provide it, or use two names.',
    zh: '请只由一个插件提供，或使用两个不同的名称。',
  },
  'registry.name-too-long': {
    en: 'The name {name} has {length} characters; models accept {limit}. It is made of the names of the plugin and of {tool}.',
    zh: '名称 {name} 有 {length} 个字符，而模型最多接受 {limit} 个。它由插件名和 {tool} 组成。',
  },
  'registry.name-too-long-hint': { en: 'Shorten the names of the folders.', zh: '请缩短文件夹名称。' },
  'registry.kind-without-effect': {
    en: 'This version checks and lists {kind} ({count}), but does not give them to agents yet.',
    zh: '当前版本会检查并列出{kind}（{count} 个），但尚未提供给智能体使用。',
  },
  'registry.description-with-examples': {
    en: '{description}\n\nExamples: {examples}',
    zh: '{description}\n\n示例：{examples}',
  },
  'registry.admits-nobody': {
    en: '{tool}: the permission rule {rule} is not one that this version knows, so it admits nobody.',
    zh: '{tool}：当前版本不认识权限规则 {rule}，因此不放行任何人。',
  },
  'registry.admits-nobody-hint': {
    en: 'Write role(user), role(trusted) or role(master).',
    zh: '请写 role(user)、role(trusted) 或 role(master)。',
  },

  'registry.description-with-returns': {
    en: '{description}\n\nReturns: {returns}',
    zh: '{description}\n\n返回：{returns}',
  },
} as const satisfies Catalogue;
