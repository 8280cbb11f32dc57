// The names under which Zhin's authors know this package. Their files run as they are; this tells editors what the names
// mean: `"types": ["baigong/zhin"]` under `compilerOptions` of the project's tsconfig.json.

declare module '@zhin.js/tool' {
  export * from 'baigong';
}

declare module '@zhin.js/prompt-section' {
  export * from 'baigong';
}

declare module '@zhin.js/hook' {
  export * from 'baigong';
}

declare module 'zhin.js' {
  export * from 'baigong';
}
