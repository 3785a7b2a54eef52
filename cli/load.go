package cli

import (
	"errors"
	"io/fs"
	"os"

	"ayna"
	"ayna/generator/config"
)

func readSample() (*config.Config, error) {
	return config.Parse("the sample's site.yaml", ayna.SampleConfig, os.LookupEnv)
}

// loadConfig reads the configuration, which must have no faults.
func (a *app) loadConfig() error {
	c, err := a.readConfig()
	if err == nil {
		a.config = c
	}
	return err
}

// readConfig reads the file that --config names, or the sample's configuration. Where
// the error joins faults, it returns the rest of the configuration, too.
func (a *app) readConfig() (*config.Config, error) {
	if a.sample {
		if _, err := os.Lstat(a.configFile); err == nil {
			return nil, usagef("--sample is for folders without a configuration, and %s is there; leave --sample out, or go to an empty folder", a.configFile)
		}
		return readSample()
	}
	c, err := config.Load(a.configFile, os.LookupEnv)
	if errors.Is(err, fs.ErrNotExist) && a.configFile == "site.yaml" {
		// The sample was built here, without a configuration.
		sample, err := readSample()
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(sample.Archive); err == nil {
			return sample, nil
		}
	}
	if err != nil {
		return c, configError{err}
	}
	return c, nil
}

// loadAndCheckPaths loads the configuration and returns an error if arguments are in the way
// of what it names.
func (a *app) loadAndCheckPaths(arguments ...config.NamedPath) error {
	if err := a.loadConfig(); err != nil {
		return err
	}
	return a.checkPaths(arguments...)
}

// checkPaths returns an error of the configuration if two places are in each other's way,
// and another one if a folder may not be read.
func (a *app) checkPaths(arguments ...config.NamedPath) error {
	err := a.config.CheckPaths(a.configFile, arguments...)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return configError{err}
	}
	return err
}
