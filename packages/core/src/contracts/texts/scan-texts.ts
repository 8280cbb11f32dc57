import type { Catalogue } from './catalogue.ts';

export const scanTexts = {
  'scan.did-you-mean': { en: 'Did you mean {near}?', zh: '是否想写 {near}？' },

  'scan.root-missing': { en: 'The folder {file} does not exist.', zh: '文件夹 {file} 不存在。' },
  'scan.root-missing-hint': {
    en: 'Check the path of the project, or create the folder.',
    zh: '请检查项目路径，或先创建该文件夹。',
  },
  'scan.unreadable': { en: '{file} cannot be read: {reason}.', zh: '无法读取 {file}：{reason}。' },
  'scan.unreadable-hint': {
    en: 'Check its kind and its permissions: it must be readable by this program.',
    zh: '请检查它的类型和权限：本程序必须能够读取它。',
  },
  'scan.broken-link-hint': {
    en: 'If it is a link, let it lead to something that exists, or delete it.',
    zh: '如果它是链接，请让它指向存在的目标，或删除它。',
  },
  'scan.not-a-folder-hint': {
    en: 'A folder belongs here: move the file elsewhere, or rename it.',
    zh: '这里应当是文件夹：请移走该文件，或为它改名。',
  },
  'scan.link-leaves-root': {
    en: '{file} is a link that leads out of the project (or out of its package), so it is not followed.',
    zh: '{file} 是指向项目（或所属包）之外的链接，因此不会加载。',
  },
  'scan.link-leaves-root-hint': {
    en: 'Move what it leads to into the project, or install it as a package and name that under "plugins" in the configuration.',
    zh: '请把它指向的内容移到项目内，或装成一个包并在配置的 "plugins" 下写上包名。',
  },
  'scan.file-too-large': {
    en: '{file} is larger than {limit} bytes, so it is not read.',
    zh: '{file} 超过 {limit} 字节，因此没有读取。',
  },
  'scan.file-too-large-hint': {
    en: 'Shorten it. Long material of a skill belongs in its references/ folder, that of an agent in knowledge/.',
    zh: '请缩短它。技能的长资料应放在 references/ 文件夹中，Agent 的应放在 knowledge/ 中。',
  },

  'scan.missing-index': {
    en: '{file} holds no index file, so nothing is loaded from it.',
    zh: '{file} 中没有 index 文件，因此没有从中加载任何内容。',
  },
  'scan.missing-index-hint': {
    en: 'Put the declaration into {file}/index.ts (or .mts, .cts, .js, .mjs, .cjs), or move the folder elsewhere.',
    zh: '请把声明写在 {file}/index.ts 中（或 .mts、.cts、.js、.mjs、.cjs），或把该文件夹移到别处。',
  },
  'scan.ambiguous-index': {
    en: '{file} holds several index files ({files}), so it is unclear which one counts.',
    zh: '{file} 中有多个 index 文件（{files}），无法确定以哪一个为准。',
  },
  'scan.ambiguous-entry': {
    en: '{file} holds several plugin files ({files}), so it is unclear which one counts.',
    zh: '{file} 中有多个 plugin 文件（{files}），无法确定以哪一个为准。',
  },
  'scan.ambiguous-hint': {
    en: 'Keep one and delete or rename the others.',
    zh: '请只保留一个，删除或重命名其余文件。',
  },
  'scan.misplaced-file': {
    en: '{file} lies directly in {parent}/, where everything has a folder of its own, so it is not loaded.',
    zh: '{file} 直接放在 {parent}/ 下，而其中每一项都必须有自己的文件夹，因此它没有被加载。',
  },
  'scan.misplaced-file-hint': {
    en: 'Move it to {folder}/index.ts if it is one of {parent}/; code that is shared belongs in a folder outside {parent}/.',
    zh: '如果它属于 {parent}/，请移到 {folder}/index.ts；共用代码请移到 {parent}/ 之外的文件夹。',
  },
  'scan.misplaced-plugin-hint': {
    en: 'Move it to {folder}/plugin.ts if it is a plugin; code that is shared belongs in a folder outside {parent}/.',
    zh: '如果它是插件，请移到 {folder}/plugin.ts；共用代码请移到 {parent}/ 之外的文件夹。',
  },
  'scan.misnamed-folder': {
    en: '{file} looks like a folder {name}/, but is not called so, so nothing in it is loaded.',
    zh: '{file} 看起来是 {name}/ 文件夹，但名称不对，因此其中的内容没有被加载。',
  },
  'scan.misnamed-folder-hint': { en: 'Rename it to {folder}.', zh: '请将它改名为 {folder}。' },
  'scan.wrong-case': {
    en: '{file} should be called {name}, in exactly these letters. It was read all the same.',
    zh: '{file} 的文件名应为 {name}（大小写须一致）。本次仍已读取。',
  },
  'scan.wrong-case-hint': {
    en: 'Rename it to {name}: other programs, and other machines, do not find it otherwise.',
    zh: '请将它改名为 {name}：否则其他程序或其他机器可能找不到它。',
  },

  'scan.invalid-name': {
    en: '{name} cannot be a name: models accept 1 to 64 letters, digits, _ and - only.',
    zh: '{name} 不能作为名称：模型只接受 1 到 64 个英文字母、数字、_ 和 -。',
  },
  'scan.invalid-name-hint': {
    en: 'Rename the folder; what it is for, in your language, belongs in the description.',
    zh: '请重命名文件夹；用中文说明用途请写在描述中。',
  },
  'scan.name-too-long': {
    en: 'Models would call {file} {name}, which has {length} characters; they accept 64 at most.',
    zh: '模型看到的 {file} 的名称是 {name}，共 {length} 个字符，而模型最多接受 64 个。',
  },
  'scan.name-too-long-hint': {
    en: 'Shorten the name of its folder or of a folder above it.',
    zh: '请缩短它的文件夹名，或上层文件夹的名称。',
  },

  'scan.missing-skill-file': {
    en: '{file} is a folder for a skill, but it holds no SKILL.md.',
    zh: '{file} 是技能文件夹，但其中没有 SKILL.md。',
  },
  'scan.missing-skill-file-hint': {
    en: 'Write {file}/SKILL.md, beginning with the lines "---", "name: {name}", "description: …" and "---"; or move the folder elsewhere.',
    zh: '请编写 {file}/SKILL.md，开头依次为 "---"、"name: {name}"、"description: …" 和 "---" 四行；或把该文件夹移到别处。',
  },
  'scan.missing-front-matter': {
    en: '{file} does not begin with front matter, so its name and description are unknown.',
    zh: '{file} 开头没有 front matter，因此不知道它的名称和描述。',
  },
  'scan.open-front-matter': {
    en: 'The front matter of {file} does not end: the second line of "---" is missing.',
    zh: '{file} 的 front matter 没有结束：缺少第二行 "---"。',
  },
  'scan.front-matter-no-map': {
    en: 'The front matter of {file} holds no keys with values.',
    zh: '{file} 的 front matter 中没有键值。',
  },
  'scan.front-matter-hint': {
    en: 'Begin the file with the lines "---", "name: {name}", "description: …" and "---".',
    zh: '文件开头请依次写 "---"、"name: {name}"、"description: …" 和 "---" 四行。',
  },
  'scan.long-front-matter': {
    en: 'The front matter of {file} is longer than {limit} characters, so it is not read.',
    zh: '{file} 的 front matter 超过 {limit} 个字符，因此没有读取。',
  },
  'scan.long-front-matter-hint': {
    en: 'Move what is not about the skill itself below the second line of "---".',
    zh: '请把与技能本身信息无关的内容移到第二行 "---" 之后。',
  },
  'scan.invalid-front-matter': {
    en: 'The front matter of {file} cannot be read as YAML: {reason}',
    zh: '{file} 的 front matter 无法作为 YAML 读取：{reason}',
  },
  'scan.invalid-front-matter-hint': {
    en: 'Correct the line. A value that holds a colon or other signs of YAML belongs in quotes: key: "value".',
    zh: '请更正该行。含有冒号或其他 YAML 符号的值应加引号：key: "value"。',
  },
  'scan.unquoted-value': {
    en: '{file} holds a value that is no YAML as it stands; it was read as the text that it is.',
    zh: '{file} 中的值不符合 YAML 语法，已按原文读取。',
  },
  'scan.unquoted-value-hint': {
    en: 'Put the value in quotes, since other programs refuse the file.',
    zh: '请为该值加上引号，否则其他程序会拒绝读取该文件。',
  },
  'scan.repeated-key': {
    en: 'The front matter of {file} holds {name} more than once; the last one counts.',
    zh: '{file} 的 front matter 中 {name} 出现多次，以最后一个为准。',
  },
  'scan.repeated-key-hint': { en: 'Keep one of them.', zh: '请只保留其中一个。' },
  'scan.missing-description': {
    en: '{file} has no description, by which a model decides when to use the skill.',
    zh: '{file} 没有 description，而模型要靠它判断何时使用该技能。',
  },
  'scan.missing-description-hint': {
    en: 'Add "description: …": what the skill does and when to use it.',
    zh: '请添加 "description: …"，写明技能做什么、何时使用。',
  },
  'scan.name-differs': {
    en: '{file} gives its name as {found}, but its folder is called {name}; the folder counts.',
    zh: '{file} 中的 name 为 {found}，而文件夹名为 {name}；以文件夹名为准。',
  },
  'scan.name-differs-hint': {
    en: 'Write "name: {name}", or rename the folder.',
    zh: '请写成 "name: {name}"，或重命名文件夹。',
  },

  'scan.missing-agent-file': {
    en: '{file} does not exist, which every agent must have.',
    zh: '{file} 不存在，而每个 Agent 都必须有这个文件。',
  },
  'scan.missing-agent-file-hint': {
    en: 'Write it. The folder {folder} needs agent.json, system.md, boundaries.md and conventions.md.',
    zh: '请编写该文件。{folder} 中需要有 agent.json、system.md、boundaries.md 和 conventions.md。',
  },
  'scan.agent-json-hint': {
    en: 'Write {folder}/agent.json, in plain JSON; {found} is not read.',
    zh: '请编写 {folder}/agent.json，内容为标准 JSON；{found} 不会被读取。',
  },
  'scan.empty-agent-file': {
    en: '{file} is empty; every agent must have it, with content.',
    zh: '{file} 是空的，而每个 Agent 的这个文件都必须有内容。',
  },
  'scan.empty-agent-file-hint': {
    en: 'agent.json holds the settings (at least {}), system.md role and duties, boundaries.md what the agent must not do, conventions.md how it works.',
    zh: 'agent.json 写设置（至少是 {}），system.md 写角色与职责，boundaries.md 写不能做什么，conventions.md 写工作约定。',
  },
  'scan.invalid-agent-file': {
    en: '{file} cannot be read as a JSON object: {reason}',
    zh: '{file} 无法作为 JSON 对象读取：{reason}',
  },
  'scan.invalid-agent-file-hint': {
    en: 'Correct the file. It holds one object in plain JSON: no comments, no comma after the last entry.',
    zh: '请更正该文件。内容应为一个标准 JSON 对象：没有注释，最后一项后没有逗号。',
  },

  'scan.folder-twice': {
    en: '{file} leads to the same folder as {other}, which was read already, so it is not followed.',
    zh: '{file} 与 {other} 是同一个文件夹，后者已读取，因此不再加载前者。',
  },
  'scan.folder-twice-hint': { en: 'Delete the link {file}.', zh: '请删除链接 {file}。' },
  'scan.package-twice-hint': {
    en: 'It is loaded as part of the project: remove {name} from "plugins" in the configuration.',
    zh: '它已作为项目的一部分加载：请从配置的 "plugins" 中删除 {name}。',
  },
  'scan.too-deep': {
    en: '{file} lies more than {limit} levels deep below plugins/, so plugins in it are not looked for.',
    zh: '{file} 在 plugins/ 之下超过 {limit} 层，因此不在其中查找插件。',
  },
  'scan.too-deep-hint': {
    en: 'Move plugins further up; move what holds none out of plugins/.',
    zh: '请把插件移到更浅的位置；不含插件的文件夹请移出 plugins/。',
  },
  'scan.no-plugin': {
    en: '{file} lies in plugins/ and holds code, but no plugin, so nothing in it is loaded.',
    zh: '{file} 位于 plugins/ 下并含有代码，但不是插件，因此其中的内容没有被加载。',
  },
  'scan.no-plugin-hint': {
    en: 'A plugin holds plugin.ts, package.json, or a folder tools/, skills/, prompt-sections/, hooks/ or agents/. Add {folder}/plugin.ts, or move the folder out of plugins/.',
    zh: '插件需要有 plugin.ts、package.json，或 tools/、skills/、prompt-sections/、hooks/、agents/ 之一。请添加 {folder}/plugin.ts，或把该文件夹移出 plugins/。',
  },
  'scan.duplicate-plugin': {
    en: 'Several plugins are called {name}: {places}.',
    zh: '有多个插件都叫 {name}：{places}。',
  },
  'scan.duplicate-plugin-hint': {
    en: 'Rename the folder of all but one (folders that only group do not count in names), or remove the package from the configuration.',
    zh: '请只保留一个，重命名其余的文件夹（仅用于分组的文件夹不计入名称），或从配置中去掉该包。',
  },
  'scan.unknown-plugin': {
    en: 'The configuration names the plugin {name}, but no plugin of the project and no installed package is called so.',
    zh: '配置中写了插件 {name}，但项目中没有这个插件，也没有安装这个名称的包。',
  },
  'scan.unknown-plugin-near-hint': {
    en: 'Did you mean {near}? If it is another package, install it: npm install {name}',
    zh: '是否想写 {near}？如果是另一个包，请先安装：npm install {name}',
  },
  'scan.unknown-plugin-hint': {
    en: 'Install the package: npm install {name}. Or write the plugin plugins/{name}, or remove the name.',
    zh: '请安装该包：npm install {name}。或编写插件 plugins/{name}，或删除这个名称。',
  },
  'scan.unknown-child-hint': {
    en: 'Remove the name, or correct it: a plugin in another one is written with __ between their names.',
    zh: '请删除或更正这个名称：插件中的子插件写作用 __ 连接的各级名称。',
  },
  'scan.package-no-plugin': {
    en: 'The configuration names the package {name} as a plugin, but it holds nothing that could be loaded.',
    zh: '配置把包 {name} 写成了插件，但其中没有可以加载的内容。',
  },
  'scan.package-no-plugin-hint': {
    en: 'Remove it from "plugins". A package that is a plugin holds plugin.ts (or .js …), or folders such as tools/, at its top.',
    zh: '请从 "plugins" 中删除它。作为插件的包在顶层应有 plugin.ts（或 .js 等），或 tools/ 等文件夹。',
  },

  'scan.invalid-feature': {
    en: '{file}: {field} holds {found}; expected is {expected}.',
    zh: '{file}：{field} 的值为 {found}，应为 {expected}。',
  },
  'scan.invalid-feature-hint': {
    en: 'Write features as a list of { "package": …, "api": … }, where "api" is a range of versions such as "^1.0.0".',
    zh: 'features 应写成 { "package": …, "api": … } 的列表，其中 "api" 为版本范围，例如 "^1.0.0"。',
  },
  'scan.unmet-feature': {
    en: '{file} asks for {name} in a version that fits {api}, but this runtime offers {version}.',
    zh: '{file} 要求 {name} 的版本符合 {api}，而当前运行时提供的是 {version}。',
  },
  'scan.unmet-feature-hint': {
    en: 'Use a version of the plugin that is made for {name} {version}, or widen the range if the plugin works with it.',
    zh: '请使用适配 {name} {version} 的插件版本；如果该插件与此版本兼容，也可以放宽版本范围。',
  },
  'scan.unknown-feature': {
    en: '{file} asks for the feature {name}, which this runtime does not know. It is passed over.',
    zh: '{file} 要求功能包 {name}，而当前运行时不认识它，已忽略。',
  },
  'scan.unknown-feature-hint': {
    en: 'Folders of capabilities need no declaration: remove the entry, unless another program reads it.',
    zh: '能力文件夹无需声明：除非有其他程序要读取，请删除该项。',
  },
} as const satisfies Catalogue;
