{
  description = "Cycle-exact Atari 400/800/XL/XE emulator with its own ROMs, games and debugger";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      forEach = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = forEach (system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          cargo = builtins.fromTOML (builtins.readFile ./Cargo.toml);
        in
        {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = "anticlock";
            version = cargo.workspace.package.version;
            src = self;
            cargoLock.lockFile = ./Cargo.lock;
            cargoBuildFlags = [ "--package" "frontend" ];
            # The tests need a display, a sound server and a browser: ./test sets them up.
            doCheck = false;
            nativeBuildInputs = [ pkgs.pkg-config pkgs.makeWrapper pkgs.installShellFiles ];
            buildInputs = [ pkgs.alsa-lib pkgs.udev ];
            ANTICLOCK_COMMIT = "commit ${self.shortRev or "unknown"}";
            postInstall = ''
              $out/bin/anticlock generate man > anticlock.1
              installManPage anticlock.1
              for shell in bash zsh fish; do $out/bin/anticlock generate $shell > anticlock.$shell; done
              installShellCompletion anticlock.{bash,zsh,fish}
              install -d $out/share/applications $out/share/mime/packages $out/share/icons/hicolor/64x64/apps
              $out/bin/anticlock generate desktop > $out/share/applications/anticlock.desktop
              $out/bin/anticlock generate mime > $out/share/mime/packages/anticlock.xml
              $out/bin/anticlock generate icon > $out/share/icons/hicolor/64x64/apps/anticlock.png
              # Opened while the program runs.
              wrapProgram $out/bin/anticlock --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath [ pkgs.xorg.libX11 pkgs.xorg.libXcursor pkgs.xorg.libXrandr ]}
            '';
            meta = {
              license = with pkgs.lib.licenses; [ mit asl20 ];
              mainProgram = "anticlock";
            };
          };
        });
    };
}
